// How a store counts: for those who may change it.
import { Button, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { SaveProblem } from '#/form/SaveProblem';
import { useBaseRecord } from '#/form/useBaseRecord';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { NumericInput } from '#/ui/NumericInput';
import { countApi, KEY } from './api';
import { formatMinute } from './clock';
import classes from './Settings.module.css';
import type { Settings } from './types';

const SWITCHES = [
  [
    'autoSessionByTime',
    'Opening or closing by the clock',
    'Opening before 14:00, closing from then on.',
  ],
  ['restrictDate', 'Only today and yesterday', 'Counts for other days wait for approval.'],
  ['enforceTimeWindow', 'Only during counting hours', 'Counts at other times wait for approval.'],
  [
    'timeLockEnabled',
    'Lock after counting hours',
    'Only people who may unlock can open it again, with a reason.',
  ],
  ['userLockEnabled', 'One person at a time', 'Someone else can take over after confirming.'],
  ['blind', 'Blind count', 'People who count do not see the last count or the expected number.'],
] as const;

const TIMES = [
  ['openingFrom', 'Opening from'],
  ['openingTo', 'Opening to'],
  ['closingFrom', 'Closing from'],
  ['closingTo', 'Closing to'],
] as const;

type Change = Partial<Settings>;

const FACTOR = 'Ask about numbers this many times the last count';

const LABELS = {
  ...Object.fromEntries(SWITCHES.map(([key, label]) => [key, label])),
  ...Object.fromEntries(TIMES),
  outlierFactor: FACTOR,
};

/** Settings with their times as texts, to compare two versions of them. */
const shown = (settings: Settings) => ({
  ...settings,
  ...Object.fromEntries(TIMES.map(([key]) => [key, formatMinute(settings[key])])),
});

export function SettingsDrawer({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { data, error } = useQuery({
    queryKey: [...KEY, 'settings', storeId],
    queryFn: ({ signal }) => countApi.settings(storeId, signal),
    staleTime: 0,
  });
  const { base, onDirty } = useBaseRecord<Settings | undefined>(data);
  return (
    <DrawerFrame opened title="How this store counts" onClose={onClose}>
      {error && (
        <div className={classes.body}>
          <ErrorBox>{Problem.of(error).message}</ErrorBox>
        </div>
      )}
      {base && (
        <Form
          key={base.revision}
          storeId={storeId}
          settings={base}
          onDirty={onDirty}
          onClose={onClose}
        />
      )}
    </DrawerFrame>
  );
}

interface FormProps {
  storeId: string;
  settings: Settings;
  onDirty(dirty: boolean): void;
  onClose(): void;
}

function Form({ storeId, settings, onDirty, onClose }: FormProps) {
  const [change, setChange] = useState<Change>({});
  useEffect(() => onDirty(Object.keys(change).length > 0), [change, onDirty]);
  const saving = useSave<Settings>({ revision: settings.revision });
  const now = { ...settings, ...change };

  const save = () =>
    saving.run(
      async (revision) => {
        const saved = await countApi.saveSettings(storeId, {
          ...change,
          revision: revision ?? settings.revision,
        });
        await queries.invalidateQueries({ queryKey: KEY });
        return saved;
      },
      { said: 'Settings saved', onSaved: onClose },
    );

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <div className={classes.body}>
        <SaveProblem
          save={saving}
          of="fields"
          versions={(theirs) => compare(LABELS, shown(now), shown({ ...theirs }))}
          onTheirs={() => {
            setChange({});
            saving.setProblem(null);
            void queries.invalidateQueries({ queryKey: KEY });
          }}
        />
        {SWITCHES.map(([key, label, description]) => (
          <Switch
            key={key}
            label={label}
            description={description}
            checked={now[key]}
            onChange={(event) => setChange({ ...change, [key]: event.currentTarget.checked })}
          />
        ))}
        <div className={classes.times}>
          {TIMES.map(([key, label]) => (
            <TextInput
              key={key}
              type="time"
              label={label}
              description={
                key === 'closingTo' && now.closingTo > 1440 ? 'on the next day' : undefined
              }
              value={formatMinute(now[key])}
              onChange={(event) => {
                const minute = minuteOf(event.currentTarget.value);
                if (minute === null) return;
                // A closing count may end after midnight, which belongs to the day it began.
                const next = key === 'closingTo' && minute <= now.closingFrom ? 1440 : 0;
                setChange({ ...change, [key]: minute + next });
              }}
            />
          ))}
        </div>
        <NumericInput
          reads="factor"
          label={FACTOR}
          description="With 3, a count of 12 is checked when it becomes 36 or more, or 4 or less."
          min={1.1}
          max={100}
          value={now.outlierFactor}
          // Left empty, it stays as it is.
          onChange={(value) => setChange({ ...change, outlierFactor: value ?? undefined })}
        />
      </div>
      <footer className={classes.foot}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.busy} disabled={Object.keys(change).length === 0}>
          Save settings
        </Button>
      </footer>
    </form>
  );
}

function minuteOf(clock: string): number | null {
  const [hours, minutes] = clock.split(':').map(Number);
  return hours === undefined || minutes === undefined || Number.isNaN(hours + minutes)
    ? null
    : hours * 60 + minutes;
}
