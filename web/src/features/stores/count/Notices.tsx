// Notices above a count: no connection, finished, locked, outside the time window, leased to another user.
import { Button, Textarea } from '@mantine/core';
import { IconCircleCheck, IconClock, IconCloudOff, IconLock, IconUser } from '@tabler/icons-react';
import { memo, type ReactNode, useState } from 'react';
import { queries } from '#/api/queries';
import { useUnreachable } from '#/api/reachability';
import { useCan, useMe } from '#/api/session';
import { useSave } from '#/form/useSave';
import { useOnline } from '#/offline/hooks';
import { Dialog } from '#/ui/Dialog';
import { moment, shortDay } from '#/ui/format';
import { countApi, KEY } from './api';
import { formatMinute, isInWindow, SESSION_WORD, timeOf, windowOf } from './clock';
import { useFinishedOnDevice } from './finishCount';
import classes from './Notices.module.css';
import { type CountState, type Lease, nameOf, type Scope, type Settings } from './types';

interface Props {
  scope: Scope;
  settings: Settings;
  state: CountState | undefined;
  /** Another user's lease. */
  lease: Lease | null;
  now: Date;
  onTakeOver(): void;
  /** The user has unlocked the count. */
  onUnlocked(): void;
}

export const Notices = memo(function Notices(props: Props) {
  const { scope, settings, state, lease, now, onTakeOver, onUnlocked } = props;
  const online = useOnline();
  const away = useUnreachable();
  const mayUnlock = useCan('stores/storeCount', 'unlock');
  const mayCount = useCan('stores/storeCount', 'count');
  const [unlocking, setUnlocking] = useState(false);
  const [taking, setTaking] = useState(false);
  const finishedHere = useFinishedOnDevice(scope);
  const word = SESSION_WORD[scope.session].toLowerCase();
  const window = windowOf(settings, scope.session);

  return (
    <div className={classes.notices}>
      {(!online || away) && (
        <Notice icon={<IconCloudOff size={18} aria-hidden />}>
          No connection. What you count is saved on this device and sent later.
        </Notice>
      )}
      {state?.finished && (
        <Notice tone="ok" icon={<IconCircleCheck size={18} aria-hidden />}>
          Finished by {nameOf(state.finished.by)}, {moment(state.finished.at)}.
        </Notice>
      )}
      {finishedHere && (
        <Notice tone="ok" icon={<IconCircleCheck size={18} aria-hidden />}>
          Finished on this device. It is sent together with the counts.
        </Notice>
      )}
      {state?.locked ? (
        <Notice
          icon={<IconLock size={18} aria-hidden />}
          action={
            mayUnlock && (
              <Button variant="default" onClick={() => setUnlocking(true)}>
                Unlock…
              </Button>
            )
          }
        >
          The {word} count of {shortDay(scope.date)} was locked
          {state.lockedSince ? ` at ${timeOf(state.lockedSince)}` : ''}.
        </Notice>
      ) : (
        window &&
        mayCount &&
        !isInWindow(settings, scope, now) && (
          <Notice icon={<IconClock size={18} aria-hidden />}>
            {SESSION_WORD[scope.session]} counts are taken from {formatMinute(window.from)} to{' '}
            {formatMinute(window.to)}. Counts made now need a manager’s approval.
          </Notice>
        )
      )}
      {lease && (
        <Notice
          icon={<IconUser size={18} aria-hidden />}
          action={
            mayCount && (
              <Button variant="default" onClick={() => setTaking(true)}>
                Take over…
              </Button>
            )
          }
        >
          {lease.name} is counting here now.
        </Notice>
      )}
      {unlocking && (
        <Unlock scope={scope} onUnlocked={onUnlocked} onClose={() => setUnlocking(false)} />
      )}
      {lease && taking && (
        <Dialog
          opened
          title={`Take over from ${lease.name}?`}
          confirm="Take over count"
          keep="Just look"
          onConfirm={() => {
            setTaking(false);
            onTakeOver();
          }}
          onClose={() => setTaking(false)}
        >
          <p>
            {lease.name} will see that you are counting now. Everything {lease.name} counted is
            kept.
          </p>
        </Dialog>
      )}
    </div>
  );
});

/** A line above the count. */
export function Notice(props: {
  icon: ReactNode;
  tone?: 'ok' | 'warn';
  action?: ReactNode;
  children: ReactNode;
}) {
  const { icon, tone = 'warn', action, children } = props;
  return (
    <div className={classes.notice} data-tone={tone} role="status">
      {icon}
      <span className={classes.text}>{children}</span>
      {action}
    </div>
  );
}

function Unlock(props: { scope: Scope; onUnlocked(): void; onClose(): void }) {
  const { scope, onUnlocked, onClose } = props;
  const me = useMe();
  const [reason, setReason] = useState('');
  const [error, setError] = useState('');
  const saving = useSave();

  async function unlock(): Promise<void> {
    if (!reason.trim()) return setError('Enter a reason.');
    await saving.run(
      async () => {
        await countApi.unlock(scope, reason.trim());
        await queries.invalidateQueries({ queryKey: [...KEY, 'state'] });
      },
      {
        onSaved: () => {
          onUnlocked();
          onClose();
        },
        refused: ({ message }) => setError(message),
      },
    );
  }

  return (
    <Dialog
      opened
      title={`Unlock the ${SESSION_WORD[scope.session].toLowerCase()} count of ${shortDay(scope.date)}?`}
      confirm="Unlock count"
      keep="Leave it locked"
      busy={saving.busy}
      onConfirm={() => void unlock()}
      onClose={onClose}
    >
      <p>People can change this count again. Your name and your reason are saved.</p>
      <Textarea
        label="Reason"
        required
        autosize
        minRows={2}
        value={reason}
        error={error}
        data-autofocus
        onChange={(event) => {
          setReason(event.currentTarget.value);
          setError('');
        }}
        description={`As ${me.user.name}`}
      />
    </Dialog>
  );
}
