import { useState } from 'react';
import { cancelJob } from '#/api/jobs';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { pages } from '#/paths';
import { FixLink, Notice, Notices, storeGapWords, WithoutSales } from '#/reports/frame/Notices';
import { count, moment, plural } from '#/ui/format';
import { lastingError } from '#/ui/toast';
import {
  type Asked,
  atWork,
  type InsightsWork,
  type Told,
  useInsightsOver,
  useWorkOut,
} from './api';
import { begun, endedAgain, maySteer } from './work';

/** What the figures leave out, and their age. */
export function Notes({ told, asked }: { told: Told; asked: Asked }) {
  const again = useWorkOut(asked);
  const { coverage, coverageBefore, answer } = told;
  const gap = (of: typeof coverage) => of.withReceipts < of.storeDays;
  const words = (of: typeof coverage) =>
    `${count(of.withReceipts)} of ${plural(of.storeDays, 'store-day')} ${of.withReceipts === 1 ? 'has' : 'have'} it`;
  const working = atWork(told);
  const untimed = answer?.figures.untimed ?? 0;
  return (
    <Notices>
      <WithoutSales answer={told} />
      {asked.against && told.storesWithoutSalesBefore.length > 0 && (
        <Notice>
          In the days compared with, there are no sales of{' '}
          {storeGapWords({ ...asked.against, storesWithoutSales: told.storesWithoutSalesBefore })}.
        </Notice>
      )}
      {gap(coverage) && (
        <Notice>
          Needs receipt-level sales; {words(coverage)}.{' '}
          <FixLink page="toolsImportSales">{pages.toolsImportSales.label}</FixLink>
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
          {working ? (
            <Again key={working.jobId} work={working} />
          ) : (
            <>
              {told.work && `${endedAgain(told.work)} `}
              <button type="button" onClick={() => again.mutate()}>
                Work it out again
              </button>
            </>
          )}
        </Notice>
      )}
    </Notices>
  );
}

/** There is an answer, and a job computes a newer one. */
function Again({ work }: { work: InsightsWork }) {
  const me = useMe();
  const over = useInsightsOver();
  const [stopping, setStopping] = useState(false);
  const stop = () => {
    setStopping(true);
    cancelJob(work.jobId)
      .then(over)
      .catch((error) => {
        setStopping(false);
        lastingError(Problem.of(error).message);
      });
  };
  return (
    <>
      It is being worked out again: {begun(work)}.{' '}
      {maySteer(me.user, work) && (
        <button type="button" disabled={stopping} onClick={stop}>
          {stopping ? 'Stopping…' : 'Stop'}
        </button>
      )}
    </>
  );
}
