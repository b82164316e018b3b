// Questions about deliveries that are due, or came shortly before: does this count include them?
import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { memo, useState, useSyncExternalStore } from 'react';
import { useMe } from '#/api/session';
import { CloseQuestion } from '#/documents/CloseDialog';
import { Dialog } from '#/ui/Dialog';
import { plural, qty } from '#/ui/format';
import { done } from '#/ui/toast';
import { timeOf } from './clock';
import {
  answeredHere,
  answers,
  type Delivery,
  type DeliveryLine,
  openDeliveries,
  saveAnswersHere,
} from './closeQueue';
import { Notice } from './Notices';
import noticeClasses from './Notices.module.css';
import type { Scope, WarmUp } from './types';

interface Props {
  scope: Scope;
  warm: WarmUp | undefined;
}

export const CloseGoods = memo(function CloseGoods({ scope, warm }: Props) {
  const snapshot = useSyncExternalStore(answers.subscribe, answers.snapshot);
  const [asking, setAsking] = useState(false);
  const open = warm ? openDeliveries(warm, scope, answeredHere(snapshot, scope)) : [];
  if (open.length === 0) return null;
  return (
    <div className={noticeClasses.notices}>
      <Notice
        icon={<IconTruckDelivery size={18} aria-hidden />}
        action={
          <Button variant="default" onClick={() => setAsking(true)}>
            Answer…
          </Button>
        }
      >
        {plural(open.length, 'delivery is', 'deliveries are')} close to this count. Was it counted?
      </Notice>
      {asking && <Questions scope={scope} open={open} onClose={() => setAsking(false)} />}
    </div>
  );
});

/** «GR-… was received at 05:40. Is it part of this count?» */
function wordsOf({ number, received, happenedAt }: Delivery, line: DeliveryLine): string {
  const much = line.qty == null ? '' : ` (${qty(line.qty)} ${line.uomCode})`;
  if (!received) return `Is ${number}${much} already on the shelf and counted?`;
  const at = happenedAt ? ` at ${timeOf(happenedAt)}` : '';
  return `${number}${much} was received${at}. Is it part of this count?`;
}

interface QuestionsProps {
  scope: Scope;
  open: readonly Delivery[];
  onClose(): void;
}

function Questions({ scope, open, onClose }: QuestionsProps) {
  const { uid } = useMe().user;
  const [said, setSaid] = useState<ReadonlyMap<string, boolean>>(new Map());

  function say(lineId: string, value: string): void {
    const next = new Map(said);
    if (value === 'later') next.delete(lineId);
    else next.set(lineId, value === 'yes');
    setSaid(next);
  }

  return (
    <Dialog
      opened
      title="Was this counted?"
      keep="Later"
      confirm="Save answers"
      size={560}
      disabled={said.size === 0}
      onConfirm={() => {
        void saveAnswersHere(uid, scope, said).then(() => done('Answers saved'));
        onClose();
      }}
      onClose={onClose}
    >
      {open.flatMap((delivery) =>
        delivery.lines.map((line) => {
          const answer = said.get(line.lineId);
          return (
            <CloseQuestion
              key={line.lineId}
              name={line.name}
              words={wordsOf(delivery, line)}
              value={answer === undefined ? 'later' : answer ? 'yes' : 'no'}
              onChange={(value) => say(line.lineId, value)}
            />
          );
        }),
      )}
    </Dialog>
  );
}
