import { pages } from '#/paths';
import { Mend, Notice, Notices } from '#/reports/frame/Notices';
import { count, moment, plural } from '#/ui/format';
import { type Asked, isAtWork, type Told, useWorkOut } from './api';

/** What the figures leave out, and how old they are. */
export function Notes({ told, asked }: { told: Told; asked: Asked }) {
  const again = useWorkOut(asked);
  const { coverage, coverageBefore, answer } = told;
  const gap = (of: typeof coverage) => of.withReceipts < of.storeDays;
  const words = (of: typeof coverage) =>
    `${count(of.withReceipts)} of ${count(of.storeDays)} store-days have it`;
  const untimed = answer?.figures.untimed ?? 0;
  return (
    <Notices>
      {gap(coverage) && (
        <Notice>
          Needs receipt-level sales; {words(coverage)}.{' '}
          <Mend page="toolsImportSales">{pages.toolsImportSales.label}</Mend>
        </Notice>
      )}
      {coverageBefore && gap(coverageBefore) && (
        <Notice>Of the days compared with {words(coverageBefore)}.</Notice>
      )}
      {untimed > 0 && (
        <Notice quiet>
          {plural(untimed, 'ticket has', 'tickets have')} no time and {untimed === 1 ? 'is' : 'are'}{' '}
          left out of the hours.
        </Notice>
      )}
      {told.madeAt && (
        <Notice quiet={!told.stale}>
          {told.stale
            ? `Sales changed since this was worked out on ${moment(told.madeAt)}.`
            : `Worked out on ${moment(told.madeAt)}.`}{' '}
          {isAtWork(told) ? (
            'It is being worked out again.'
          ) : (
            <button type="button" onClick={() => again.mutate()}>
              Work it out again
            </button>
          )}
        </Notice>
      )}
    </Notices>
  );
}
