import { ActionIcon, Checkbox, NativeSelect, Switch } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { ErrorBox } from '#/ui/ErrorBox';
import { changeSettings, type Settings, type SettingsChange, useSettings } from './api';
import classes from './Bell.module.css';

const HOURS = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${String(hour).padStart(2, '0')}:00`,
}));

/** Which kinds of task notify the user, and the daily email. Each change is saved at once. */
export function SettingsForm({ onBack }: { onBack(): void }) {
  const { data, error } = useSettings();
  const back = useRef<HTMLButtonElement>(null);
  // The button that led here is gone, and with it the focus.
  useEffect(() => back.current?.focus(), []);
  return (
    <>
      <div className={classes.head}>
        <ActionIcon
          ref={back}
          variant="subtle"
          color="gray"
          aria-label="Back to notifications"
          onClick={onBack}
        >
          <IconArrowLeft size={18} stroke={1.6} />
        </ActionIcon>
        <h2>Notification settings</h2>
      </div>
      {data ? (
        <Fields settings={data} />
      ) : error ? (
        <ErrorBox>{Problem.of(error).message}</ErrorBox>
      ) : (
        <p className={classes.trouble}>Loading…</p>
      )}
    </>
  );
}

function Fields({ settings }: { settings: Settings }) {
  const [trouble, setTrouble] = useState<string | null>(null);
  const { kinds, digest, digestHour, email, mailStaysHere } = settings;

  async function keep(change: SettingsChange): Promise<void> {
    setTrouble(null);
    try {
      await changeSettings(change);
    } catch (error) {
      setTrouble(Problem.of(error).message);
    }
  }

  return (
    <div className={classes.settings}>
      {trouble && <ErrorBox focus>{trouble}</ErrorBox>}
      <fieldset>
        <legend>Tell me of</legend>
        {kinds.map((kind) => (
          <Checkbox
            key={kind.name}
            label={kind.title}
            checked={kind.on}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              const muted = kinds.filter((one) => (one.name === kind.name ? !on : !one.on));
              void keep({ muted: muted.map(({ name }) => name) });
            }}
          />
        ))}
      </fieldset>
      <fieldset>
        <legend>By mail</legend>
        <Switch
          label="One email a day"
          description={`To ${email}, only while something waits.`}
          checked={digest}
          onChange={(event) => void keep({ digest: event.currentTarget.checked })}
        />
        {digest && (
          <NativeSelect
            label="At"
            description="By the clock of the stores (UTC+8)"
            data={HOURS}
            value={String(digestHour)}
            onChange={(event) => void keep({ digestHour: Number(event.currentTarget.value) })}
          />
        )}
        {mailStaysHere && (
          <p className={classes.trouble}>
            No mail server is set up yet: emails wait in a folder on the server.
          </p>
        )}
      </fieldset>
    </div>
  );
}
