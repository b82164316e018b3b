// Actions on a user's access; each is confirmed in a dialog that names the user and the consequence.

import { Button, Group, Modal } from '@mantine/core';
import { IconLink, IconMail } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { queries } from '#/api/queries';
import { useSave } from '#/form/useSave';
import { confirmKeys } from '#/ui/confirmKeys';
import { Dialog } from '#/ui/Dialog';
import { moment, plural } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { peopleChanged, type User, usersApi } from '../api';
import { firstName } from '../labels';
import { CopyField } from '../parts/CopyField';
import classes from './dialogs.module.css';
import { TempPassword } from './TempPassword';

export type PersonAction = 'status' | 'resetLink' | 'tempPassword' | 'signOut' | 'removeTotp';

type Someone = Pick<User, 'id' | 'name' | 'email' | 'status' | 'revision' | 'hasTempPassword'>;

interface Asked {
  action: PersonAction;
  user: Someone;
}

export interface PersonActions {
  ask(action: PersonAction, user: Someone): void;
  dialogs: ReactNode;
}

/** Opens the dialogs; render `dialogs` somewhere. */
export function usePersonActions(): PersonActions {
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const shown = asked && { user: asked.user, onClose: close };
  return {
    ask: (action, user) => setAsked({ action, user }),
    dialogs: shown && (
      <>
        {asked.action === 'status' && <StatusDialog {...shown} />}
        {asked.action === 'resetLink' && <ResetLinkDialog {...shown} />}
        {asked.action === 'tempPassword' && (
          <TempPasswordDialog
            {...shown}
            onResetLink={() => setAsked({ action: 'resetLink', user: asked.user })}
          />
        )}
        {asked.action === 'signOut' && <SignOutDialog {...shown} />}
        {asked.action === 'removeTotp' && <RemoveTotpDialog {...shown} />}
      </>
    ),
  };
}

interface Props {
  user: Someone;
  onClose(): void;
}

/** Runs a confirmed action; closes the dialog when it succeeds. */
function useRun(onClose: () => void) {
  const saving = useSave({ shows: 'toast' });
  const run = (work: () => Promise<string>) =>
    saving.run(work, { said: (words) => words, onSaved: onClose, onSettled: peopleChanged });
  return { busy: saving.busy, run };
}

function StatusDialog({ user, onClose }: Props) {
  const { busy, run } = useRun(onClose);
  const disabling = user.status === 'Active';
  const first = firstName(user.name);
  return (
    <Dialog
      opened
      title={disabling ? `Disable ${user.name}?` : `Enable ${user.name}?`}
      keep={disabling ? `Keep ${first} active` : `Keep ${first} disabled`}
      confirm={disabling ? `Disable ${first}` : `Enable ${first}`}
      danger={disabling}
      busy={busy}
      onClose={onClose}
      onConfirm={() =>
        void run(async () => {
          const status = disabling ? 'Disabled' : 'Active';
          await usersApi.update(user.id, user.revision, { status });
          return disabling ? `${user.name} disabled` : `${user.name} enabled`;
        })
      }
    >
      {disabling ? (
        <p>
          {user.name} ({user.email}) is signed out everywhere at once and cannot sign in until
          enabled again. Role, stores and everything entered so far stay.
        </p>
      ) : (
        <p>
          {user.name} ({user.email}) can sign in again, with the same role and stores as before.
        </p>
      )}
    </Dialog>
  );
}

function SignOutDialog({ user, onClose }: Props) {
  const { busy, run } = useRun(onClose);
  return (
    <Dialog
      opened
      title={`Sign ${user.name} out everywhere?`}
      keep="Keep signed in"
      confirm="Sign out everywhere"
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() =>
        void run(async () => {
          const { ended } = await usersApi.signOut(user.id);
          return ended === 0 ? 'No session was open' : `${plural(ended, 'session')} ended`;
        })
      }
    >
      <p>
        Every browser and program signed in as {user.email} is signed out within a second. What is
        typed there and not saved is lost. {firstName(user.name)} can sign in again at any time.
      </p>
    </Dialog>
  );
}

function RemoveTotpDialog({ user, onClose }: Props) {
  const { busy, run } = useRun(onClose);
  return (
    <Dialog
      opened
      title={`Remove two-step sign-in of ${user.name}?`}
      keep="Keep two-step sign-in"
      confirm="Remove two-step sign-in"
      danger
      busy={busy}
      onClose={onClose}
      onConfirm={() =>
        void run(async () => {
          await usersApi.removeTotp(user.id);
          return 'Two-step sign-in removed';
        })
      }
    >
      <p>
        For a lost phone. {firstName(user.name)} signs in with the password alone until an
        authenticator app is set up again; a role that asks for two steps asks for it at the next
        sign-in. The recovery codes stop working.
      </p>
    </Dialog>
  );
}

/** Makes a link to set a password, to copy or to email. */
export function ResetLinkDialog({ user, onClose }: Props) {
  useReturnFocus();
  const [link, setLink] = useState<{ link: string; expiresAt: string } | null>(null);
  const [mailed, setMailed] = useState(false);
  const saving = useSave();
  const { doing, problem } = saving;

  const make = (mail: boolean) =>
    saving.run(() => usersApi.resetLink(user.id, mail), {
      as: mail ? 'mail' : 'copy',
      onSaved: (made) => {
        setLink(made);
        setMailed(mail);
      },
    });

  return (
    <Modal
      opened
      onClose={onClose}
      // The link is shown once: a second Ctrl+Enter must not close it.
      onKeyDown={confirmKeys({ confirm: link || doing ? null : () => void make(false) })}
      title={`Reset link for ${user.name}`}
      size={500}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {link ? (
        <>
          <p className={textClasses.dialogText}>
            {mailed
              ? `The link is on its way to ${user.email}. Here it is too, if the email does not arrive.`
              : `Give it to ${firstName(user.name)} yourself: anyone who has it can set the password.`}
          </p>
          <CopyField label="Reset link" value={link.link} atOnce={!mailed} />
          <p className={classes.fine}>
            Works once, until {moment(link.expiresAt)}. It is not kept: closing this hides it for
            good.
          </p>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={onClose}>
              Done
            </Button>
          </Group>
        </>
      ) : (
        <>
          <p className={textClasses.dialogText}>
            With the link {firstName(user.name)} sets a new password and is then signed out
            everywhere else. It works once; links made earlier stop working now.
          </p>
          {problem && (
            <p role="alert" className={`${textClasses.wrong} ${classes.wrong}`}>
              {problem.message}
            </p>
          )}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button
              variant="default"
              leftSection={<IconMail size={16} aria-hidden />}
              loading={doing === 'mail'}
              disabled={doing === 'copy'}
              onClick={() => void make(true)}
            >
              Mail it
            </Button>
            <Button
              leftSection={<IconLink size={16} aria-hidden />}
              loading={doing === 'copy'}
              disabled={doing === 'mail'}
              onClick={() => void make(false)}
              data-autofocus
            >
              Copy link
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}

function TempPasswordDialog({ user, onClose, onResetLink }: Props & { onResetLink(): void }) {
  useReturnFocus();
  const [asked, setAsked] = useState<{ before: string | null } | null>(null);
  const saving = useSave({ shows: 'toast' });
  const first = firstName(user.name);

  const ask = () =>
    saving.run(async () => {
      // An unused earlier password must not be taken for the new one.
      const now = user.hasTempPassword ? await usersApi.get(user.id) : null;
      await usersApi.temporaryPassword(user.id);
      queries.removeQueries({ queryKey: ['people', 'users', 'one', user.id] });
      setAsked({ before: now?.tempPassword ?? null });
    });

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: asked || saving.busy ? null : () => void ask() })}
      title={`Temporary password for ${user.name}`}
      size={500}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {asked ? (
        <TempPassword user={user} before={asked.before} onResetLink={onResetLink}>
          <Button variant="default" onClick={onClose}>
            Done
          </Button>
        </TempPassword>
      ) : (
        <>
          <p className={textClasses.dialogText}>
            A password is made and shown here, for you to hand over. The present one stops working,
            and {first} chooses a new one at the next sign-in.
          </p>
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={onClose}>
              Keep the present one
            </Button>
            <Button loading={saving.busy} onClick={() => void ask()} data-autofocus>
              Make a password
            </Button>
          </Group>
        </>
      )}
    </Modal>
  );
}
