import { Anchor, Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { startSession } from '#/api/session';
import { makeFirstAdmin, useWelcome } from '#/api/welcome';
import { outsideShell, pages } from '#/paths';
import { NewPassword } from '#/ui/NewPassword';
import { CardFrame } from './CardFrame';
import classes from './signedOut.module.css';

type Errors = Partial<Record<'name' | 'email' | 'password', string>>;

/** The first start: the user with the link from the server's log becomes the first super admin. */
export default function FirstStart() {
  const { data: welcome } = useWelcome();
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token, setToken] = useState(hash.slice(1));
  const [password, setPassword] = useState('');
  const [about, setAbout] = useState<string[]>([]);
  const [busy, setBusy] = useState(false);
  const [errors, setErrors] = useState<Errors>({});
  const [error, setError] = useState('');
  const form = useRef<HTMLFormElement>(null);

  // The token is in the fragment, which browsers do not send; it is removed from the address bar at once.
  useEffect(() => {
    if (!hash) return;
    setToken(hash.slice(1));
    void navigate(outsideShell.firstStart, { replace: true });
  }, [hash, navigate]);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (busy) return;
    const given = new FormData(event.currentTarget);
    const name = String(given.get('name') ?? '').trim();
    const email = String(given.get('email') ?? '').trim();
    const minimum = welcome?.passwordMinimum ?? 8;
    const valid = form.current?.querySelector<HTMLInputElement>('[name=email]')?.validity.valid;
    const wrong: Errors = {
      ...(name ? {} : { name: 'Enter your name.' }),
      ...(email
        ? valid
          ? {}
          : { email: 'Enter a valid email address.' }
        : { email: 'Enter your email address.' }),
      ...([...password].length < minimum
        ? { password: `Use at least ${minimum} characters.` }
        : {}),
    };
    if (refuse(wrong)) return;
    setBusy(true);
    setError('');
    try {
      await makeFirstAdmin({ token, name, email, password });
      // The signed-in pages start at this address: Home has the first steps, and the other apps need a store.
      window.history.replaceState(null, '', pages.dashboardMain.path);
      await startSession();
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      if (!refuse(Object.fromEntries(fields.map((one) => [one.field, one.message]))))
        setError(message);
      setBusy(false);
    }
  }

  /** Shows the errors and focuses the first wrong field. */
  function refuse(wrong: Errors): boolean {
    setErrors(wrong);
    const first = (['name', 'email', 'password'] as const).find((field) => wrong[field]);
    const input = first === 'password' ? 'new-password' : first;
    if (input) form.current?.querySelector<HTMLElement>(`[name="${input}"]`)?.focus();
    return first !== undefined;
  }

  if (!token || welcome?.firstStart === false) {
    return (
      <CardFrame title={token ? 'Larder is set up already' : 'This link is not whole'}>
        <p className={classes.body}>
          {token
            ? 'The first account already exists. Sign in, or ask its owner for access.'
            : 'Open the link exactly as the server printed it, with everything behind the #.'}
        </p>
        <Button
          component={Link}
          to={outsideShell.login}
          variant="default"
          fullWidth
          mt="md"
          className={classes.submit}
        >
          Sign in
        </Button>
      </CardFrame>
    );
  }
  return (
    <CardFrame title="Welcome to Larder" error={error} focusError home={false}>
      <p className={classes.lead2}>
        There are no accounts yet. Yours will be the first: a super admin, who may do everything and
        gives others access.
      </p>
      <form ref={form} onSubmit={submit} className={classes.form} noValidate>
        <TextInput
          label="Name"
          name="name"
          autoComplete="name"
          error={errors.name}
          onBlur={(event) => setAbout([event.currentTarget.value, about[1] ?? ''])}
          required
          autoFocus
        />
        <TextInput
          label="Email"
          type="email"
          name="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="off"
          spellCheck={false}
          error={errors.email}
          onBlur={(event) => setAbout([about[0] ?? '', event.currentTarget.value])}
          required
        />
        <NewPassword
          label="Password"
          value={password}
          onChange={setPassword}
          minimum={welcome?.passwordMinimum}
          about={about}
          error={errors.password}
        />
        <Button type="submit" fullWidth className={classes.submit} aria-disabled={busy}>
          {busy ? 'Making your account…' : 'Make my account'}
        </Button>
      </form>
      <p className={classes.access}>
        <Anchor component={Link} to={outsideShell.home} underline="always" inherit>
          Not now
        </Anchor>
      </p>
    </CardFrame>
  );
}
