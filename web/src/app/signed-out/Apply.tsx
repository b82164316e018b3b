import { Anchor, Button, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconCircleCheck } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { type Application, apply } from '#/api/welcome';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { CardFrame } from './CardFrame';
import classes from './signedOut.module.css';

const EMPTY: Application = { name: '', email: '', mobile: '', position: '', store: '', reason: '' };

const needed = (message: string) => (value: string) => (value.trim() ? null : message);

/** The application form for access. The answer is always the same, so that it reveals nothing to strangers. */
export default function Apply() {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [received, setReceived] = useState('');
  const node = useRef<HTMLFormElement>(null);
  const form = useForm<Application>({
    initialValues: EMPTY,
    validateInputOnBlur: true,
    validate: {
      name: needed('Enter your name.'),
      email: (value) =>
        !value.trim()
          ? 'Enter your company email address.'
          : /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value.trim())
            ? null
            : 'Enter a valid email address.',
      mobile: (value) =>
        !value.trim()
          ? 'Enter your mobile number.'
          : value.replace(/\D/g, '').length < 7
            ? 'Enter a whole mobile number.'
            : null,
      position: needed('Enter your position.'),
      reason: needed('Say what you need access for.'),
    },
  });

  function toFirstError(errors: Record<string, unknown>): void {
    const first = Object.keys(EMPTY).find((name) => errors[name]);
    if (first) node.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  }

  async function send(values: Application): Promise<void> {
    if (busy) return;
    setBusy(true);
    setError('');
    try {
      const trimmed = Object.entries(values).map(([name, value]) => [name, value.trim()]);
      setReceived((await apply(Object.fromEntries(trimmed) as Application)).message);
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      const wrong = Object.fromEntries(fields.map((one) => [one.field, one.message]));
      if (fields.length === 0) setError(message);
      form.setErrors(wrong);
      toFirstError(wrong);
      setBusy(false);
    }
  }

  if (received) {
    return (
      <div className={classes.page}>
        <main className={classes.card}>
          <EmptyState
            page
            compact
            icon={IconCircleCheck}
            role="status"
            title={received}
            text="An administrator looks at it. You will get a mail at your company address."
            action={
              <Button component={Link} to={outsideShell.login} variant="default">
                Back to sign in
              </Button>
            }
          />
        </main>
      </div>
    );
  }

  return (
    <CardFrame title="Apply for access" error={error} focusError wide>
      <form
        ref={node}
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((values) => void send(values), toFirstError)}
      >
        <div className={classes.pair}>
          <TextInput
            label="Name"
            name="name"
            autoComplete="name"
            required
            autoFocus
            {...form.getInputProps('name')}
          />
          <TextInput
            label="Company email"
            type="email"
            name="email"
            autoComplete="email"
            inputMode="email"
            autoCapitalize="off"
            spellCheck={false}
            required
            {...form.getInputProps('email')}
          />
          <TextInput
            label="Mobile"
            type="tel"
            name="mobile"
            autoComplete="tel"
            inputMode="tel"
            required
            {...form.getInputProps('mobile')}
          />
          <TextInput
            label="Position"
            name="position"
            autoComplete="organization-title"
            required
            {...form.getInputProps('position')}
          />
        </div>
        <TextInput
          label="Store"
          name="store"
          autoComplete="off"
          description="Its name or code. Leave it empty if you work in none."
          {...form.getInputProps('store')}
        />
        <Textarea
          label="Reason"
          name="reason"
          rows={3}
          description="What you need access for."
          required
          {...form.getInputProps('reason')}
        />
        <Button type="submit" fullWidth mt={4} className={classes.submit} aria-disabled={busy}>
          {busy ? 'Sending…' : 'Send application'}
        </Button>
      </form>
      <p className={classes.access}>
        Have an account?{' '}
        <Anchor component={Link} to={outsideShell.login} underline="always" inherit>
          Sign in
        </Anchor>
      </p>
    </CardFrame>
  );
}
