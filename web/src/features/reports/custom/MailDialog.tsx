import { Button, MultiSelect, Switch, Textarea, TextInput } from '@mantine/core';
import { IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { Dialog } from '#/ui/Dialog';
import { moment } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import { Segments } from '#/ui/Segments';
import { askReport, sendTest, setSchedule, usePeople, useSends } from './api';
import classes from './Builder.module.css';
import { clock, DAYS, EVERY_DAY, minutesOf, scheduleLabel } from './labels';
import type { Report, Sends } from './types';

const USUAL = 7 * 60;
const STATES: Readonly<Record<string, string>> = {
  waiting: 'Being made',
  mailed: 'On its way',
  sent: 'Sent',
  skipped: 'Not sent',
  failed: 'Failed',
};

type Schedule = NonNullable<Report['schedule']>;
type Timing = Pick<Schedule, 'enabled' | 'every' | 'minutes' | 'weekdays' | 'monthDay'>;

const LABELS = {
  enabled: 'Goes out by itself',
  when: 'When',
  recipients: 'To',
  note: 'Note in the letter',
};

/** A report's email schedule and recipients, a test email, and past sends. */
export function MailDialog({ report, onClose }: { report: Report; onClose(): void }) {
  const now = report.schedule;
  const people = usePeople();
  const [enabled, setEnabled] = useState(now?.enabled ?? true);
  const [every, setEvery] = useState<'week' | 'month'>(now?.every ?? 'week');
  const [time, setTime] = useState(clock(now?.minutes ?? USUAL));
  const [weekdays, setWeekdays] = useState(now?.weekdays || 1);
  const [monthDay, setMonthDay] = useState(now?.monthDay || 1);
  const [recipients, setRecipients] = useState(now?.recipients.map(({ id }) => id) ?? []);
  const [note, setNote] = useState(now?.note ?? '');
  const saving = useSave<Schedule>({
    revision: now?.revision ?? 0,
    reload: async () => (await askReport(report.id)).schedule,
  });
  const at = saving.errorOf;
  const minutes = minutesOf(time);

  const save = () =>
    saving.run(
      (revision) =>
        setSchedule(report.id, {
          enabled,
          every,
          minutes: minutes ?? -1,
          weekdays,
          monthDay,
          note,
          recipients,
          revision: revision ?? 0,
        }),
      { said: enabled ? 'Schedule saved' : 'Schedule paused', onSaved: onClose },
    );

  const known = people.data?.people ?? now?.recipients ?? [];
  const shown = (of: Timing & { note: string }, to: readonly string[]) => ({
    enabled: of.enabled,
    when: scheduleLabel(of),
    recipients: to.map((id) => known.find((one) => one.id === id)?.name ?? id),
    note: of.note,
  });
  return (
    <Dialog
      opened
      title={`Send «${report.name}» by mail`}
      confirm="Save schedule"
      keep="Cancel"
      size={560}
      busy={saving.busy}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <div className={classes.form}>
        <Switch
          label="Goes out by itself"
          checked={enabled}
          data-autofocus
          onChange={(event) => setEnabled(event.currentTarget.checked)}
        />
        <div className={classes.pair}>
          <Segments<'week' | 'month'>
            label="How often"
            value={every}
            options={[
              { value: 'week', label: 'On weekdays' },
              { value: 'month', label: 'Monthly' },
            ]}
            onChange={setEvery}
          />
          {every === 'month' && (
            <NumericInput
              reads="whole"
              label="Day of the month"
              description="Of a shorter month its last"
              min={1}
              max={31}
              value={monthDay}
              error={at('monthDay')}
              onChange={(value) => setMonthDay(value as number)}
            />
          )}
        </div>
        {every === 'week' && (
          <fieldset className={classes.days}>
            <legend>Days</legend>
            <div>
              {DAYS.map((name, i) => (
                <button
                  key={name}
                  type="button"
                  aria-pressed={(weekdays & (1 << i)) !== 0}
                  onClick={() => setWeekdays(weekdays ^ (1 << i))}
                >
                  {name}
                </button>
              ))}
              <button
                type="button"
                className={classes.quietButton}
                onClick={() => setWeekdays(EVERY_DAY)}
              >
                Every day
              </button>
            </div>
          </fieldset>
        )}
        {at('weekdays') && <p className={classes.wrong}>{at('weekdays')}</p>}
        <TextInput
          type="time"
          label="Time"
          description="The time in the stores, UTC+8"
          value={time}
          error={at('minutes') ?? (minutes === null ? 'Enter a time such as 07:00.' : undefined)}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <MultiSelect
          label="To"
          description="Each gets the figures of the stores they may see"
          placeholder={recipients.length === 0 ? 'Choose people' : undefined}
          data={known.map(({ id, name, email, role }) => ({
            value: id,
            label: [name, email || role].filter(Boolean).join(', '),
          }))}
          value={recipients}
          searchable
          hidePickedOptions
          maxDropdownHeight={220}
          error={at('recipients')}
          onChange={setRecipients}
        />
        <Textarea
          label="Note in the email"
          placeholder="Optional"
          autosize
          minRows={1}
          maxLength={500}
          value={note}
          error={at('note')}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <p className={classes.quiet} role="status">
          {enabled && minutes !== null
            ? `${scheduleLabel({ every, minutes, weekdays, monthDay })}.`
            : 'Paused.'}
          {people.data?.outbox &&
            ' No mail server is set up: emails wait in the server’s outbox folder.'}
        </p>
        <SaveProblem
          save={saving}
          versions={(theirs) =>
            compare(
              LABELS,
              shown(
                { enabled, every, minutes: minutes ?? USUAL, weekdays, monthDay, note },
                recipients,
              ),
              shown(
                theirs,
                theirs.recipients.map(({ id }) => id),
              ),
            )
          }
          onTheirs={(theirs) => {
            setEnabled(theirs.enabled);
            setEvery(theirs.every);
            setTime(clock(theirs.minutes));
            setWeekdays(theirs.weekdays);
            setMonthDay(theirs.monthDay);
            setRecipients(theirs.recipients.map(({ id }) => id));
            setNote(theirs.note);
            saving.setProblem(null);
          }}
        />
        <History report={report} />
      </div>
    </Dialog>
  );
}

function History({ report }: { report: Report }) {
  const sends = useSends(report.id);
  const testing = useSave();
  const test = () =>
    testing.run(() => sendTest(report.id), { said: 'A test is on its way to you' });
  const items = sends.data?.items ?? [];
  return (
    <section className={classes.history} aria-label="What was sent">
      <div className={classes.historyHead}>
        <h3>What was sent</h3>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconSend size={14} aria-hidden />}
          loading={testing.busy}
          onClick={() => void test()}
        >
          Send a test to me
        </Button>
      </div>
      <SaveProblem save={testing} of="all" />
      {sends.isSuccess && items.length === 0 && (
        <p className={classes.quiet}>Nothing yet. A test shows how the email arrives.</p>
      )}
      <ul>
        {items.map((send) => (
          <SentLine key={send.id} send={send} />
        ))}
      </ul>
    </section>
  );
}

function SentLine({ send }: { send: Sends['items'][number] }) {
  return (
    <li data-bad={send.state === 'failed' || send.state === 'skipped' || undefined}>
      <span>
        {send.name}
        <small>{send.dueAt ? moment(send.dueAt) : `Test, ${moment(send.createdAt)}`}</small>
      </span>
      <span>
        {STATES[send.state] ?? send.state}
        {send.words && <small>{send.words}</small>}
      </span>
    </li>
  );
}
