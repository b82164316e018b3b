// Questions about goods close to a count: deliveries that are due or came shortly before, and what is open about counts
// that were sent.
import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { memo, useState, useSyncExternalStore } from 'react';
import { useMe } from '#/api/session';
import { CloseQuestion } from '#/documents/CloseDialog';
import { heading } from '#/documents/close';
import { useOpenClose } from '#/documents/useOpenClose';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { done } from '#/ui/toast';
import { answers, type CloseAsked, openQuestions, saveAsked } from './closeQueue';
import { Notice } from './Notices';
import noticeClasses from './Notices.module.css';
import type { Scope, WarmUp } from './types';

interface Props {
  scope: Scope;
  warm: WarmUp | undefined;
}

export const CloseGoods = memo(function CloseGoods({ scope, warm }: Props) {
  const snapshot = useSyncExternalStore(answers.subscribe, answers.snapshot);
  const sent = useOpenClose(scope.storeId);
  // As they were when the dialog was opened.
  const [asked, setAsked] = useState<readonly CloseAsked[]>([]);
  const open = openQuestions(warm, scope, sent, snapshot);
  if (open.length + asked.length === 0) return null;
  const n = new Set(open.map(({ number }) => number)).size;
  const words = open.some((one) => one.sent)
    ? `${plural(n, 'document is', 'documents are')} close to a count.`
    : `${plural(n, 'delivery is', 'deliveries are')} close to this count.`;
  const ask = open.some((one) => one.leaving)
    ? 'Say what was counted.'
    : n === 1
      ? 'Was it counted?'
      : 'Were they counted?';
  return (
    <div className={noticeClasses.notices}>
      {open.length > 0 && (
        <Notice
          icon={<IconTruckDelivery size={18} aria-hidden />}
          action={
            <Button variant="default" onClick={() => setAsked(open)}>
              Answer…
            </Button>
          }
        >
          {words} {ask}
        </Notice>
      )}
      {asked.length > 0 && <Questions asked={asked} onClose={() => setAsked([])} />}
    </div>
  );
});

function Questions({ asked, onClose }: { asked: readonly CloseAsked[]; onClose(): void }) {
  const { uid } = useMe().user;
  const [said, setSaid] = useState<ReadonlyMap<CloseAsked, boolean>>(new Map());

  function say(one: CloseAsked, included: boolean | undefined): void {
    const next = new Map(said);
    if (included === undefined) next.delete(one);
    else next.set(one, included);
    setSaid(next);
  }

  return (
    <Dialog
      opened
      title={heading(asked.map(({ leaving }) => leaving))}
      keep="Later"
      confirm="Save answers"
      size={560}
      disabled={said.size === 0}
      onConfirm={() => {
        void saveAsked(uid, said).then(() => done('Answers saved'));
        onClose();
      }}
      onClose={onClose}
    >
      {asked.map((one) => (
        <CloseQuestion
          key={`${one.scope.date} ${one.scope.session} ${one.lineId}`}
          name={one.name}
          words={one.words}
          leaving={one.leaving}
          included={said.get(one)}
          onChange={(included) => say(one, included)}
        />
      ))}
    </Dialog>
  );
}
