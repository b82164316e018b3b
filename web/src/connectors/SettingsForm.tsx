import { Button, TextInput } from '@mantine/core';
import { type FocusEvent, useEffect, useRef, useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { addDays, today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import {
  askOne,
  type Connector,
  type Draft,
  type Found,
  isOpen,
  pause,
  remove,
  type Settings,
  save,
  tryOut,
} from './api';
import classes from './Connectors.module.css';
import { type Fault, faultsOf, requestFaults } from './faults';
import { type Kind, usedAs, withSuggested, withUse } from './kind';
import { clock, minutesOf } from './labels';
import { ReadingFields } from './ReadingFields';
import { ScheduleFields } from './ScheduleFields';
import { SecretField } from './SecretField';
import { TryOut } from './TryOut';
import { versionsOf } from './versions';

interface Props<S extends Settings> {
  kind: Kind<S>;
  connector: Connector | null;
  canEdit: boolean;
  incoming?: string;
  /** Called when something was typed, or no longer. */
  onDirty(dirty: boolean): void;
  onSaved(connector: Connector): void;
  onClose(): void;
}

/** Everything a connector is told, with a trial beside it. */
export function SettingsForm<S extends Settings>(props: Props<S>) {
  const { kind, connector, canEdit, onDirty, onSaved, onClose } = props;
  const [name, setName] = useState(connector?.name ?? '');
  const [settings, setSettings] = useState<S>((connector?.settings as S) ?? kind.blank);
  const [secret, setSecret] = useState('');
  const [schedule, setSchedule] = useState(
    connector?.schedule ?? { enabled: kind.runs, minutes: 180, weekdays: 127 },
  );
  const [time, setTime] = useState(clock(schedule.minutes));
  const [start] = useState({ name, settings, schedule, time });
  const dirty =
    secret !== '' ||
    name !== start.name ||
    settings !== start.settings ||
    schedule !== start.schedule ||
    time !== start.time;
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
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
  const faults = faultsOf(kind, connector, { name, settings, secret, schedule, time });
  // A fault shows at its field when the field was left, or when saving or trying needed it.
  const [shown, setShown] = useState<ReadonlySet<string>>(new Set());
  const errorOf = (field: string) =>
    saving.errorOf(field) ??
    (shown.has(field) ? faults.find((it) => it.field === field)?.message : undefined) ??
    null;
  const form = useRef<HTMLDivElement>(null);
  const focus = (field: string) => form.current && focusField(form.current, field);
  /** Shows what is wrong and puts the focus on the first of it; whether anything is. */
  const stops = (wrong: readonly Fault[]): boolean => {
    const [first] = wrong;
    if (!first) return false;
    setShown(new Set([...shown, ...wrong.map(({ field }) => field)]));
    focus(first.field);
    return true;
  };
  const leave = ({ target }: FocusEvent) => {
    const field = target.closest<HTMLElement>('[data-path]')?.dataset.path;
    if (field && !shown.has(field)) setShown(new Set([...shown, field]));
  };
  const secrets: Record<string, string> = asks && secret ? { [asks.name]: secret } : {};

  const attempt = () =>
    stops(requestFaults(kind, connector, settings, secret)) ||
    void saving.run(
      () => tryOut(kind.base, { id: connector?.id ?? null, settings, secrets, day, sample }),
      {
        as: 'try',
        onSaved: (next) => {
          setFound(next);
          if (Object.keys(settings.reading.fields).length === 0)
            setSettings(withSuggested(kind, settings, next));
        },
      },
    );

  const keep = () =>
    stops(faults) ||
    void saving.run(
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
          onDirty(false);
          onSaved(kept);
        },
      },
    );

  const unplaced = problem?.fields.filter(
    ({ field }) => field === 'settings' || field === 'secrets',
  );

  return (
    <>
      <div ref={form} className={classes.body}>
        <fieldset
          disabled={!canEdit}
          onBlur={leave}
          style={{ border: 0, padding: 0, margin: 0, display: 'contents' }}
        >
          <div className={classes.fields}>
            <TextInput
              label="Name"
              required
              value={name}
              data-path="name"
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
            <SecretField
              asks={asks}
              connector={connector}
              value={secret}
              error={errorOf(`secrets.${asks.name}`)}
              onChange={setSecret}
            />
          )}
          <TryOut
            runs={kind.runs}
            day={day}
            sample={sample}
            found={found}
            trying={saving.doing === 'try'}
            roles={kind.roles(settings)}
            usedAs={(path) => usedAs(kind, settings, path)}
            onDay={setDay}
            onSample={setSample}
            onTry={attempt}
            onUse={(path, as) => setSettings(withUse(kind, settings, path, as))}
          />
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
            <ScheduleFields
              schedule={schedule}
              time={time}
              errorOf={errorOf}
              onSchedule={setSchedule}
              onTime={setTime}
            />
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
            <ErrorBox focus={problem.fields.length === unplaced?.length}>
              {unplaced?.map(({ message }) => message).join(' ') || problem.message}
            </ErrorBox>
          )
        )}
      </div>
      {canEdit ? (
        <SettingsButtons
          one={kind.one}
          connector={connector}
          saving={saving.doing === 'save'}
          needed={faults}
          onNeeded={focus}
          onDelete={() => setRemoving(true)}
          onPause={({ id, paused }) =>
            void saving.run(() => pause(kind.base, id, !paused), {
              as: 'pause',
              onSaved,
            })
          }
          onSave={keep}
        />
      ) : (
        <div className={classes.footer} />
      )}
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

interface ButtonsProps {
  /** «API connector». */
  one: string;
  connector: Connector | null;
  saving: boolean;
  /** What keeps it from being saved. */
  needed: readonly Fault[];
  onNeeded(field: string): void;
  onDelete(): void;
  onPause(connector: Connector): void;
  onSave(): void;
}

function SettingsButtons(props: ButtonsProps) {
  const { one, connector, saving, needed, onNeeded, onDelete, onPause, onSave } = props;
  const [first] = needed;
  const labels = [...new Set(needed.map(({ label }) => label))].join(', ');
  return (
    <div className={classes.footer}>
      {first && (
        <button type="button" className={classes.needed} onClick={() => onNeeded(first.field)}>
          {`To save it, check: ${labels}`}
        </button>
      )}
      {connector ? (
        <>
          {/* It cannot be deleted while it is at work. */}
          {!isOpen(connector.lastRun) && (
            <Button variant="subtle" color="red" onClick={onDelete}>
              Delete
            </Button>
          )}
          <Button variant="default" onClick={() => onPause(connector)}>
            {connector.paused ? 'Let it go on' : 'Pause'}
          </Button>
        </>
      ) : (
        <span />
      )}
      <Button loading={saving} onClick={onSave}>
        Save {one}
      </Button>
    </div>
  );
}

/** Puts the focus on a field, or on the first button of a group of them. */
function focusField(form: HTMLElement, field: string): void {
  const found = form.querySelector<HTMLElement>(`[data-path="${CSS.escape(field)}"]`);
  const input = found?.matches('fieldset') ? found.querySelector('button') : found;
  input?.focus();
  input?.scrollIntoView({ block: 'center' });
}
