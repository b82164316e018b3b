import { Button, PasswordInput, Textarea } from '@mantine/core';
import { moment } from '#/ui/format';
import type { Connector } from './api';
import classes from './Connectors.module.css';
import type { AskedSecret } from './kind';

interface Props {
  asks: AskedSecret;
  connector: Connector | null;
  value: string;
  error: string | null;
  onChange(value: string): void;
}

/** The field of a secret. The saved one is never shown; a new one replaces it. */
export function SecretField({ asks, connector, value, error, onChange }: Props) {
  return (
    <div className={classes.fields}>
      {asks.long ? (
        <Textarea
          className={classes.wide}
          label={asks.label}
          description={kept(connector, asks.name)}
          placeholder="Paste the whole file"
          autosize
          minRows={3}
          maxRows={6}
          value={value}
          data-path={`secrets.${asks.name}`}
          error={error}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      ) : (
        <PasswordInput
          label={asks.label}
          description={kept(connector, asks.name)}
          value={value}
          data-path={`secrets.${asks.name}`}
          error={error}
          autoComplete="off"
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
      {asks.make && (
        <Button variant="default" mt={24} onClick={() => onChange(madeSecret())}>
          Make one
        </Button>
      )}
      {asks.make && value && (
        <p className={classes.quiet}>
          Copy it to the sender now: <code>{value}</code>
        </p>
      )}
    </div>
  );
}

function kept(connector: Connector | null, name: string): string | undefined {
  const since = connector?.secrets[name];
  return since ? `Set ${moment(since)}. Leave empty to keep it.` : undefined;
}

function madeSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes)).replace(/[+/]/g, '-');
}
