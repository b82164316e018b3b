import { Button } from '@mantine/core';
import {
  IconAdjustments,
  IconClock,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { useSave } from '#/form/useSave';
import { count, DOT, moment } from '#/ui/format';
import { type Card, cancelRun, isOpen, type Run, startRun, useRuns } from './api';
import { ago, asksFirst, changeLabel, figureLabel, lasted, scheduleLabel } from './labels';
import { Doing, RunState } from './RunState';
import { RunStrip } from './RunStrip';
import classes from './Services.module.css';

/** Runs in a card's strip. */
const STRIP = 12;

interface Props {
  card: Card;
  onSchedule(): void;
  onHistory(): void;
}

/** A service: its purpose, last runs and next run. */
export function ServiceCard({ card, onSchedule, onHistory }: Props) {
  const { lastRun: run, title, answers, page, nextRunAt, schedule } = card;
  const runs = useRuns(card.service, STRIP, run != null);
  const { busy, run: act } = useSave({ shows: 'toast' });

  return (
    <article className={classes.card} aria-label={title} aria-busy={isOpen(run)}>
      <header className={classes.head}>
        <h3 className={classes.title}>
          <Link to={page} data-service={card.service}>
            {title}
          </Link>
        </h3>
        {run && <RunState run={run} />}
      </header>
      <p className={classes.answers}>{answers}</p>
      <div className={classes.last}>
        {run && isOpen(run) ? (
          <Doing run={run} />
        ) : run ? (
          <LastRun run={run} onHistory={onHistory} />
        ) : (
          <p className={classes.quiet}>Never run yet</p>
        )}
      </div>
      <div className={classes.meta}>
        <p className={classes.next}>
          <IconClock size={14} stroke={1.7} aria-hidden />
          <span>
            {scheduleLabel(schedule)}
            {nextRunAt && (
              <>
                <br />
                Next {moment(nextRunAt)}
              </>
            )}
          </span>
        </p>
        <RunStrip runs={runs.data?.items ?? []} onOpen={onHistory} />
      </div>
      <footer className={classes.foot}>
        {run && isOpen(run) ? (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            disabled={!card.canRun}
            leftSection={<IconPlayerStop size={15} aria-hidden />}
            aria-label={`Cancel ${title}`}
            onClick={() => void act(() => cancelRun(run), { said: `${title} is being stopped` })}
          >
            Cancel
          </Button>
        ) : asksFirst(card.service) ? (
          <Button
            size="xs"
            variant="light"
            component={Link}
            to={page}
            leftSection={<IconAdjustments size={15} aria-hidden />}
          >
            Choose and run
          </Button>
        ) : (
          <Button
            size="xs"
            variant="light"
            loading={busy}
            disabled={!card.canRun}
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            aria-label={`Run now: ${title}`}
            onClick={() => void act(() => startRun(card.service), { said: `${title} started` })}
          >
            Run now
          </Button>
        )}
        {!asksFirst(card.service) && (
          <Button
            size="xs"
            variant="subtle"
            disabled={!card.canSchedule}
            aria-label={`Schedule of ${title}`}
            onClick={onSchedule}
          >
            Schedule
          </Button>
        )}
        <Button
          size="xs"
          variant="subtle"
          disabled={!run}
          leftSection={<IconHistory size={15} aria-hidden />}
          aria-label={`History of ${title}`}
          onClick={onHistory}
        >
          History
        </Button>
      </footer>
    </article>
  );
}

/** The last run's outcome, and the largest change since the one before. */
function LastRun({ run, onHistory }: { run: Run; onHistory(): void }) {
  const failed = run.outcome?.failedTotal ?? 0;
  const at = run.finishedAt ?? run.createdAt;
  const changed = (run.outcome?.figures ?? []).flatMap((figure) => {
    const words = changeLabel(figure);
    return words ? [{ ...figure, words }] : [];
  })[0];
  return (
    <>
      <p>{run.error ?? run.outcome?.words ?? 'Stopped before it was done.'}</p>
      <p className={classes.quiet}>
        <span title={moment(at)}>
          {[ago(at, Date.now()), lasted(run.durationMs) && `took ${lasted(run.durationMs)}`]
            .filter(Boolean)
            .join(DOT)}
        </span>
        {changed && (
          <span className={classes.changed} title="Against the run before">
            {changed.label} {figureLabel(changed)} ({changed.words})
          </span>
        )}
        {failed > 0 && (
          <button type="button" className={classes.failedLink} onClick={onHistory}>
            {count(failed)} {failed === 1 ? 'problem' : 'problems'}
          </button>
        )}
      </p>
    </>
  );
}
