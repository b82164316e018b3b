import { Button, Drawer, PasswordInput } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import {
  changePassword,
  endOtherSessions,
  endSession,
  refreshMe,
  type Session,
  stopTotp,
  useSessions,
} from '#/api/account';
import { useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { useWelcome } from '#/api/welcome';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { DOT, moment, plural } from '#/ui/format';
import { NewPassword } from '#/ui/NewPassword';
import { StatusPill } from '#/ui/StatusPill';
import textClasses from '#/ui/Text.module.css';
import classes from './account.module.css';
import { TotpSetup } from './TotpSetup';
import { parseUserAgent } from './userAgent';

interface Props {
  opened: boolean;
  onClose(): void;
}

/** The user's own account: profile, password, second factor and sessions. */
export default function AccountDrawer({ opened, onClose }: Props) {
  return (
    <DrawerFrame opened={opened} onClose={onClose} title="My account" size={520}>
      <Drawer.Body className={classes.body}>
        <Person />
        <Password />
        <SecondStep />
        <Sessions />
      </Drawer.Body>
    </DrawerFrame>
  );
}

function Section({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.section} aria-label={title}>
      <header className={classes.head}>
        <h3 className={classes.title}>{title}</h3>
        {aside}
      </header>
      {children}
    </section>
  );
}

const WAYS: Record<string, string> = { password: 'Password', 'google.com': 'Google' };

function Person() {
  const { user, providers } = useMe();
  const names = useNameOf(
    'stores',
    Boolean(user.storeIds?.length && (user.roleId || user.superAdmin)),
  );
  const stores = user.storeIds?.map((id) => names.get(id)?.name ?? id).sort();
  const rows: [string, string][] = [
    ['Name', user.name],
    ['Email', user.email],
    ['Role', user.superAdmin ? 'Super admin' : (user.roleName ?? 'None yet')],
    ['Stores', stores ? stores.join(', ') || 'None' : 'All'],
    ['Signs in with', providers.map((way) => WAYS[way] ?? way).join(', ') || '–'],
  ];
  return (
    <dl className={classes.facts}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Password() {
  const me = useMe();
  const [open, setOpen] = useState(false);
  if (!me.providers.includes('password')) {
    return (
      <Section title="Password">
        <p className={classes.text}>
          You sign in with Google and have no password here. Use “Reset password” in the menu to get
          a link to set one.
        </p>
      </Section>
    );
  }
  return (
    <Section
      title="Password"
      aside={
        !open && (
          <Button variant="default" size="xs" onClick={() => setOpen(true)}>
            Change password
          </Button>
        )
      }
    >
      {open ? (
        <ChangePassword onClose={() => setOpen(false)} />
      ) : (
        <p className={classes.text}>Changing it signs you out everywhere else.</p>
      )}
    </Section>
  );
}

function ChangePassword({ onClose }: { onClose(): void }) {
  const me = useMe();
  const { data: welcome } = useWelcome();
  const [next, setNext] = useState('');
  const saving = useSave();
  const { busy, problem } = saving;
  const [wrong, setWrong] = useState<Record<string, string>>({});
  const current = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLInputElement>(null);

  function refuse(found: Record<string, string>): void {
    setWrong(found);
    (found.currentPassword ? current : field).current?.focus();
  }

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const given = current.current?.value ?? '';
    const minimum = welcome?.passwordMinimum ?? 8;
    if (!given) return refuse({ currentPassword: 'Enter your password.' });
    if ([...next].length < minimum) {
      return refuse({ newPassword: `Use at least ${minimum} characters.` });
    }
    setWrong({});
    await saving.run(() => changePassword(given, next), {
      said: 'Password changed',
      onSaved: onClose,
      refused: ({ fields }) => {
        if (fields.length === 0) return false;
        refuse(Object.fromEntries(fields.map((one) => [one.field, one.message])));
        return true;
      },
    });
  }

  return (
    <form onSubmit={submit} className={classes.form} noValidate>
      {problem && <ErrorBox>{problem.message}</ErrorBox>}
      <input
        className="sr-only"
        type="email"
        autoComplete="username"
        value={me.user.email}
        readOnly
        tabIndex={-1}
        aria-hidden
      />
      <PasswordInput
        ref={current}
        label="Current password"
        autoComplete="current-password"
        visibilityToggleButtonProps={{ 'aria-label': 'Show password' }}
        error={wrong.currentPassword}
        required
        autoFocus
      />
      <NewPassword
        ref={field}
        value={next}
        onChange={setNext}
        minimum={welcome?.passwordMinimum}
        about={[me.user.email, me.user.name, me.company.name]}
        error={wrong.newPassword}
      />
      <div className={classes.row}>
        <Button variant="default" onClick={onClose} ml="auto">
          Cancel
        </Button>
        <Button type="submit" loading={busy}>
          Save password
        </Button>
      </div>
    </form>
  );
}

function SecondStep() {
  const { totp } = useMe();
  const [setup, setSetup] = useState(false);
  const [asking, setAsking] = useState(false);
  const { busy, run } = useSave({ shows: 'toast' });
  const on = Boolean(totp.on) && !setup;

  const stop = () =>
    run(stopTotp, { said: 'Second step turned off', onSettled: () => setAsking(false) });

  return (
    <Section
      title="Second step"
      aside={
        on ? (
          <>
            <StatusPill tone="ok">On</StatusPill>
            {!totp.required && (
              <Button variant="default" size="xs" ml="auto" onClick={() => setAsking(true)}>
                Turn off
              </Button>
            )}
          </>
        ) : (
          !setup && (
            <Button variant="default" size="xs" onClick={() => setSetup(true)}>
              Set up
            </Button>
          )
        )
      }
    >
      {setup ? (
        <TotpSetup
          doneLabel="Done"
          onDone={() => {
            setSetup(false);
            void refreshMe();
          }}
        />
      ) : (
        <p className={classes.text}>
          {on
            ? totp.required
              ? 'Signing in asks for a code from your phone. Your role requires it.'
              : 'Signing in asks for a code from your phone.'
            : 'A code from your phone protects your account even if someone knows your password.'}
        </p>
      )}
      <Dialog
        opened={asking}
        title="Turn the second step off?"
        keep="Keep it on"
        confirm="Turn it off"
        danger
        busy={busy}
        onConfirm={() => void stop()}
        onClose={() => setAsking(false)}
      >
        <p>Your password alone will sign you in. The recovery codes stop working.</p>
      </Dialog>
    </Section>
  );
}

function Sessions() {
  const { data, error, isPending, refetch } = useSessions();
  const { doing, run } = useSave({ shows: 'toast' });
  const items = [...(data?.items ?? [])].sort(
    (a, b) => Number(b.current) - Number(a.current) || b.lastSeenAt.localeCompare(a.lastSeenAt),
  );
  const others = items.filter((session) => !session.current).length;

  const end = (as: string, how: () => Promise<unknown>, said: string) => run(how, { as, said });

  return (
    <Section
      title="Where you are signed in"
      aside={
        others > 0 && (
          <Button
            variant="default"
            size="xs"
            loading={doing === 'others'}
            onClick={() =>
              void end('others', endOtherSessions, `Signed out of ${plural(others, 'other place')}`)
            }
          >
            Sign out elsewhere
          </Button>
        )
      }
    >
      {error && (
        <ErrorBox>
          {Problem.of(error).message}{' '}
          <button type="button" className={textClasses.textButton} onClick={() => void refetch()}>
            Try again
          </button>
        </ErrorBox>
      )}
      <ul className={classes.sessions} aria-busy={isPending}>
        {isPending && [0, 1].map((row) => <li key={row} className={classes.skeleton} />)}
        {items.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={doing === session.id}
            onEnd={() => void end(session.id, () => endSession(session.id), 'Signed out there')}
          />
        ))}
      </ul>
    </Section>
  );
}

const KINDS: Record<string, string> = { tablet: 'Count tablet', client: 'Script or app' };

function SessionRow({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd(): void }) {
  const { name, hand } = parseUserAgent(session.userAgent);
  const Picture =
    session.kind === 'client' ? IconTerminal2 : hand ? IconDeviceMobile : IconDeviceDesktop;
  const kind = KINDS[session.kind];
  return (
    <li className={classes.session}>
      <Picture size={20} stroke={1.6} aria-hidden />
      <span className={classes.where}>
        <strong>{name}</strong>
        <span>
          {[kind, session.origin, `last used ${moment(session.lastSeenAt)}`]
            .filter(Boolean)
            .join(DOT)}
        </span>
        <span>Signed in {moment(session.createdAt)}</span>
      </span>
      {session.current ? (
        <StatusPill tone="brand">This browser</StatusPill>
      ) : (
        <Button
          variant="default"
          size="xs"
          loading={busy}
          onClick={onEnd}
          aria-label={`Sign out ${name}, last used ${moment(session.lastSeenAt)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
