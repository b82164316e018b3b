import { Button } from '@mantine/core';
import { amount, day, moment, money, plural } from '#/ui/format';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { type Changed, type Cmsr, figureName } from './api';
import classes from './Cmsr.module.css';

const MOST = 8;

/** What blocks a month, and what changed since it was certified. */
export function Notices({ month }: { month: Cmsr }) {
  const { blocker, lacking, undecided, warnings, differs } = month;
  return (
    <div className={`${classes.notices} no-print`}>
      {differs && (
        <div className={classes.notice} data-tone="danger" role="alert">
          <b>{differs.says}</b>
          <Changes changes={differs.changes} />
        </div>
      )}
      {blocker && (
        <div className={classes.notice} data-tone="warn">
          <b>{blocker}</b>
          <ul className={classes.changes}>
            {lacking.slice(0, MOST).map(({ date, reasons }) => (
              <li key={date}>
                {day(date)}: {reasons.join(' ') || 'The day is not over.'}
              </li>
            ))}
            {lacking.length > MOST && <li>and {plural(lacking.length - MOST, 'more day')}</li>}
          </ul>
          {undecided.length > 0 && ` ${undecided.slice(0, 12).map(day).join(', ')}.`}
          {lacking.length > 0 &&
            ' Verify their Z-readings, record that none exists, or open a day and mark it closed.'}
          {undecided.length > 0 && ' Open a day and choose which of its sources counts.'}
        </div>
      )}
      {warnings.map((words) => (
        <div key={words} className={classes.notice}>
          {words}
        </div>
      ))}
    </div>
  );
}

/** Figures before and after, day by day. */
function Changes({ changes }: { changes: readonly Changed[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className={classes.changes}>
      {changes.slice(0, MOST).map((one) => (
        <li key={`${one.date} ${one.figure}`}>
          {day(one.date)}, {figureName(one.figure)}: {amount(one.before)} → {amount(one.after)}
        </li>
      ))}
      {changes.length > MOST && <li>and {plural(changes.length - MOST, 'more figure')}</li>}
    </ul>
  );
}

const TONES: Record<string, Tone> = { certified: 'brand', submitted: 'ok', amended: 'neutral' };

interface Props {
  month: Cmsr;
  chosen: number | null;
  onChoose(version: number | null): void;
}

/** The month's certified versions, newest first. */
export function Versions({ month, chosen, onChoose }: Props) {
  if (month.versions.length === 0) return null;
  return (
    <section className={`${classes.versions} no-print`} aria-label="Versions">
      <h2>Versions</h2>
      <ul>
        {month.versions.map((one) => (
          <li key={one.version}>
            <StatusPill tone={TONES[one.state] ?? 'neutral'}>{`Version ${one.version}`}</StatusPill>
            <span>
              Certified by {one.certifiedName}, {one.certifiedPosition}, {moment(one.certifiedAt)},
              from {plural(one.readings, 'Z-reading')}. Net sales less exempt {money(one.netSales)},
              rent {money(one.rent)}.{one.submittedAt && ` Submitted ${moment(one.submittedAt)}.`}
              {one.amendedAt && ` Amended ${moment(one.amendedAt)}: ${one.amendReason}.`}
              <Changes changes={one.changes} />
            </span>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onChoose(chosen === one.version ? null : one.version)}
            >
              {chosen === one.version ? 'Show the current month' : 'Show'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
