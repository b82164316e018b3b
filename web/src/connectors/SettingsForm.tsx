import { Button, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare, type Version } from '#/form/versions';
import { DateField } from '#/ui/DateField';
import { Dialog } from '#/ui/Dialog';
import { addDays, today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import { moment } from '#/ui/format';
import { WeekdayChoice } from '#/ui/WeekdayChoice';
import { WEEKDAYS } from '#/ui/weekdays';
import { AnswerTree } from './AnswerTree';
import {
  askOne,
  type Connector,
  type Draft,
  type Found,
  pause,
  remove,
  type Settings,
  save,
  tryOut,
} from './api';
import classes from './Connectors.module.css';
import { clock, minutesOf } from './labels';
import { ReadingFields } from './ReadingFields';
import { Trial } from './Trial';

export interface Kind<S extends Settings> {
  base: string;
  /** «API connector». */
  one: string;
  blank: S;
  /** The secret its settings ask for, and what it is called. */
  secretOf(settings: S): { name: string; label: string; long?: boolean; make?: boolean } | null;
  /** Whether the day asked for is known without a field. */
  dated(settings: S): boolean;
  /** Whether it runs by itself, or is pushed. */
  runs: boolean;
  fields(props: {
    settings: S;
    onChange(settings: S): void;
    errorOf(field: string): string | null;
    incoming?: string;
  }): ReactNode;
  /** What else a value of an answer can be, and what that changes. */
  roles: readonly { value: string; label: string }[];
  use(settings: S, path: string, role: string): S;
  roleOf(settings: S, path: string): string | null;
  /** What stands beside a saved one: how to push to it. */
  beside?(connector: Connector): ReactNode;
}

interface Props<S extends Settings> {
  kind: Kind<S>;
  connector: Connector | null;
  canEdit: boolean;
  incoming?: string;
  onSaved(connector: Connector): void;
  onClose(): void;
}

type Told = Pick<Connector, 'name' | 'settings' | 'schedule'>;

/** A connector as texts by the names of its settings, to compare two versions of it. */
const shown = ({ name, settings, schedule }: Told): Record<string, unknown> => ({
  Name: name,
  ...flat(settings),
  When:
    schedule.enabled &&
    [clock(schedule.minutes), ...WEEKDAYS.filter((_, day) => schedule.weekdays & (1 << day))].join(
      ' ',
    ),
});

function flat(settings: object, within = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) =>
      value !== null && typeof value === 'object'
        ? Object.entries(flat(value, `${within}${name}.`))
        : [[within + name, value]],
    ),
  );
}

function versionsOf(mine: Told, theirs: Told): Version[] {
  const [my, their] = [shown(mine), shown(theirs)];
  const names = Object.keys({ ...my, ...their });
  return compare(Object.fromEntries(names.map((name) => [name, name])), my, their);
}

/** Everything a connector is told, with a trial beside it. */
export function SettingsForm<S extends Settings>(props: Props<S>) {
  const { kind, connector, canEdit, onSaved, onClose } = props;
  const [name, setName] = useState(connector?.name ?? '');
  const [settings, setSettings] = useState<S>((connector?.settings as S) ?? kind.blank);
  const [secret, setSecret] = useState('');
  const [schedule, setSchedule] = useState(
    connector?.schedule ?? { enabled: kind.runs, minutes: 180, weekdays: 127 },
  );
  const [time, setTime] = useState(clock(schedule.minutes));
  const [day, setDay] = useState(addDays(today(), -1));
  const [sample, setSample] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const saving = useSave<Connector>({
    revision: connector?.revision,
    reload: connector ? () => askOne(kind.base, connector.id) : undefined,
  });
  const { problem } = saving;
  const [removing, setRemoving] = useState(false);
  const asks = kind.secretOf(settings);
  const errorOf = (field: string) => saving.errorOf(field) ?? null;
  const secrets: Record<string, string> = asks && secret ? { [asks.name]: secret } : {};

  const attempt = () =>
    saving.run(
      () => tryOut(kind.base, { id: connector?.id ?? null, settings, secrets, day, sample }),
      {
        as: 'try',
        onSaved: (next) => {
          setFound(next);
          if (Object.keys(settings.reading.fields).length === 0) suggest(next);
        },
      },
    );

  /** What the columns likely hold is filled in, to be looked at. */
  function suggest({ columns }: Found): void {
    const fields: Record<string, string> = {};
    for (const { column, suggested } of columns) if (suggested) fields[suggested] ??= column;
    if (kind.dated(settings)) delete fields.date;
    setSettings({ ...settings, reading: { ...settings.reading, fields } });
  }

  const keep = () =>
    saving.run(
      (revision) => {
        const draft: Draft = {
          name,
          settings,
          secrets,
          schedule: { ...schedule, minutes: minutesOf(time) ?? -1 },
          paused: connector?.paused ?? false,
          revision,
        };
        return save(kind.base, connector?.id ?? null, draft);
      },
      {
        said: `${kind.one} saved`,
        onSaved: (kept) => {
          setSecret('');
          onSaved(kept);
        },
      },
    );

  function use(path: string, as: string): void {
    const fields = Object.fromEntries(
      Object.entries(settings.reading.fields).filter(
        ([field, used]) => used !== path && field !== as,
      ),
    );
    const role = kind.roles.some(({ value }) => value === as);
    if (as && !role) fields[as] = path;
    const next = { ...settings, reading: { ...settings.reading, fields } };
    setSettings(kind.use(next, path, role ? as : ''));
  }

  const usedAs = (path: string) =>
    Object.entries(settings.reading.fields).find(([, used]) => used === path)?.[0] ??
    kind.roleOf(settings, path);
  const unplaced = problem?.fields.filter(
    ({ field }) => field === 'settings' || field === 'secrets',
  );

  return (
    <>
      <div className={classes.body}>
        <fieldset
          disabled={!canEdit}
          style={{ border: 0, padding: 0, margin: 0, display: 'contents' }}
        >
          <div className={classes.fields}>
            <TextInput
              label="Name"
              required
              value={name}
              error={errorOf('name')}
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </div>
          <kind.fields
            settings={settings}
            onChange={setSettings}
            errorOf={errorOf}
            incoming={props.incoming}
          />
          {asks && (
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
                  value={secret}
                  error={errorOf(`secrets.${asks.name}`)}
                  onChange={(event) => setSecret(event.currentTarget.value)}
                />
              ) : (
                <PasswordInput
                  label={asks.label}
                  description={kept(connector, asks.name)}
                  value={secret}
                  error={errorOf(`secrets.${asks.name}`)}
                  autoComplete="off"
                  onChange={(event) => setSecret(event.currentTarget.value)}
                />
              )}
              {asks.make && (
                <Button variant="default" mt={24} onClick={() => setSecret(madeSecret())}>
                  Make one
                </Button>
              )}
              {asks.make && secret && (
                <p className={classes.quiet}>
                  Copy it to the sender now: <code>{secret}</code>
                </p>
              )}
            </div>
          )}
          <h3>Try it</h3>
          <p className={classes.quiet}>Shows what would be read. Nothing is posted.</p>
          <div className={classes.fields}>
            {kind.runs ? (
              <DateField
                label="Day"
                value={day}
                max={addDays(today(), -1)}
                onChange={(date) => setDay(date)}
              />
            ) : (
              <Textarea
                className={classes.wide}
                label="A delivery to try"
                placeholder="Paste CSV with a header, JSON or JSON lines"
                autosize
                minRows={4}
                maxRows={10}
                value={sample}
                onChange={(event) => setSample(event.currentTarget.value)}
              />
            )}
            <Button
              variant="default"
              mt={24}
              loading={saving.doing === 'try'}
              onClick={() => void attempt()}
            >
              Try it
            </Button>
          </div>
          {found?.answer !== undefined && (
            <>
              <p className={classes.quiet}>Click a value to say what it is.</p>
              <AnswerTree value={found.answer} usedAs={usedAs} onUse={use} roles={kind.roles} />
            </>
          )}
          {found && <Trial found={found} />}
          <h3>What is read</h3>
          <ReadingFields
            reading={settings.reading}
            found={found}
            dated={kind.dated(settings)}
            errorOf={errorOf}
            onChange={(reading) => setSettings({ ...settings, reading })}
          />
          {errorOf('settings.reading.fields') && (
            <ErrorBox>{errorOf('settings.reading.fields')}</ErrorBox>
          )}
          {kind.runs && (
            <>
              <h3>When</h3>
              <div className={classes.fields}>
                <Switch
                  label="Runs by itself"
                  checked={schedule.enabled}
                  mt={28}
                  onChange={(event) =>
                    setSchedule({ ...schedule, enabled: event.currentTarget.checked })
                  }
                />
                <TextInput
                  type="time"
                  label="At"
                  value={time}
                  disabled={!schedule.enabled}
                  error={errorOf('schedule.minutes')}
                  onChange={(event) => setTime(event.currentTarget.value)}
                />
                <div className={classes.wide}>
                  <WeekdayChoice
                    value={schedule.weekdays}
                    disabled={!schedule.enabled}
                    error={errorOf('schedule.weekdays')}
                    onChange={(weekdays) => setSchedule({ ...schedule, weekdays })}
                  />
                </div>
              </div>
            </>
          )}
        </fieldset>
        {connector && kind.beside?.(connector)}
        {saving.theirs ? (
          <SaveProblem
            save={saving}
            of="all"
            versions={(theirs) =>
              versionsOf(
                { name, settings, schedule: { ...schedule, minutes: minutesOf(time) ?? 0 } },
                theirs,
              )
            }
            onTheirs={(theirs) => {
              setName(theirs.name);
              setSettings(theirs.settings as S);
              setSchedule(theirs.schedule);
              setTime(clock(theirs.schedule.minutes));
              saving.setProblem(null);
            }}
          />
        ) : (
          problem && (
            <ErrorBox focus>
              {unplaced?.map(({ message }) => message).join(' ') || problem.message}
            </ErrorBox>
          )
        )}
      </div>
      <div className={classes.footer}>
        {connector && canEdit ? (
          <Button variant="subtle" color="red" onClick={() => setRemoving(true)}>
            Delete
          </Button>
        ) : (
          <span />
        )}
        {connector && canEdit && (
          <Button
            variant="default"
            onClick={() =>
              void saving.run(() => pause(kind.base, connector.id, !connector.paused), {
                as: 'pause',
                onSaved,
              })
            }
          >
            {connector.paused ? 'Let it go on' : 'Pause'}
          </Button>
        )}
        {canEdit && (
          <Button loading={saving.doing === 'save'} onClick={() => void keep()}>
            Save {kind.one}
          </Button>
        )}
      </div>
      {removing && connector && (
        <Dialog
          opened
          danger
          title={`Delete ${connector.name}?`}
          confirm="Delete"
          keep="Keep it"
          onClose={() => setRemoving(false)}
          onConfirm={() =>
            void saving.run(() => remove(kind.base, connector.id), {
              as: 'remove',
              onSaved: onClose,
              refused: () => setRemoving(false),
            })
          }
        >
          <p>Its log and what it put aside go with it. What it posted stays.</p>
        </Dialog>
      )}
    </>
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
