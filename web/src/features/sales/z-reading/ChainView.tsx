import { Select } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { type ReactNode, useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import type { TableState } from '#/table/useTableState';
import { addDays } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, money, plural, shortDay } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { useNewKey } from '#/ui/useNewKey';
import { AbsenceDialog } from './AbsenceDialog';
import { type Chain, STATES, useChain, useTerminals } from './api';
import classes from './ZReading.module.css';

const KINDS: Readonly<Record<string, { label: string; tone: Tone }>> = {
  missing: { label: 'Missing', tone: 'danger' },
  doubled: { label: 'Doubled', tone: 'danger' },
  total: { label: 'Total jumps', tone: 'danger' },
  invoices: { label: 'Invoices', tone: 'warn' },
  order: { label: 'Order', tone: 'warn' },
  reset: { label: 'Reset', tone: 'neutral' },
  wrapped: { label: 'Begun again', tone: 'neutral' },
};

const DAYS: Readonly<Record<string, string>> = {
  missing: 'Missing',
  waiting: 'To review',
  disputed: 'Disputed',
};
/** Most days named. */
const MOST_NAMED = 20;

interface Props {
  nav: ReactNode;
  state: TableState;
}

/** A till's readings in counter order, as a line with gaps, and the days it lacks. */
export function ChainView({ nav, state }: Props) {
  const { stores } = useMyStores();
  const storeId = state.get('storeId') || stores[0]?.id || '';
  const terminals = useTerminals(storeId);
  const tills = useMemo(
    () => (terminals.data?.items ?? []).filter((till) => till.storeId === storeId),
    [terminals.data, storeId],
  );
  const terminalId = state.get('terminalId') || tills[0]?.terminalId || '';
  const { data: chain, error, isPending } = useChain(storeId, terminalId);
  const mayCreate = useCan('sales/zReading', 'create');
  const navigate = useNavigate();
  useNewKey(
    mayCreate &&
      (() => void navigate(to('salesZReadingOne', { id: 'new' }, { storeId, terminalId }))),
  );
  const mayOverride = useCan('sales/zReading', 'override');
  const [absent, setAbsent] = useState<string | null>(null);
  const toDo = chain ? chain.gaps.length + chain.days.length : 0;

  return (
    <Page title="Z-readings">
      {nav}
      <div className={classes.filters}>
        <StoreChoice
          value={storeId}
          onChange={(id) => state.set({ storeId: id, terminalId: null })}
        />
        <Select
          aria-label="Till"
          placeholder="Choose a till"
          w={180}
          data={tills.map((till) => till.terminalId)}
          value={terminalId || null}
          onChange={(till) => state.set({ terminalId: till })}
          allowDeselect={false}
          nothingFoundMessage="No such till"
        />
      </div>
      {absent && (
        <AbsenceDialog
          storeId={storeId}
          terminalId={terminalId}
          date={absent}
          onClose={() => setAbsent(null)}
        />
      )}
      {error ? (
        <ErrorBox>{Problem.of(error).message}</ErrorBox>
      ) : chain && chain.links.length > 0 ? (
        <>
          <Panel
            title={`Till ${terminalId}, the last 90 days`}
            aside={<span className={classes.muted}>{plural(chain.links.length, 'reading')}</span>}
          >
            <ChainLine chain={chain} />
          </Panel>
          <Panel title={toDo > 0 ? `${toDo} to look at` : 'No gap'}>
            {toDo === 0 ? (
              <p className={classes.muted}>
                Every counter goes on by one, every grand total where the last one ended, and every
                day is complete.
              </p>
            ) : (
              <ul className={classes.gaps}>
                {chain.gaps.map((gap) => (
                  <li key={`${gap.kind}-${gap.id}`}>
                    <StatusPill tone={KINDS[gap.kind]?.tone ?? 'neutral'}>
                      {KINDS[gap.kind]?.label ?? gap.kind}
                    </StatusPill>
                    <span>{gap.words}</span>
                    {gap.kind === 'missing' ? (
                      mayCreate && (
                        <Link
                          to={to(
                            'salesZReadingOne',
                            { id: 'new' },
                            { storeId, terminalId, date: dayAfter(chain, gap.before) },
                          )}
                          className={classes.link}
                        >
                          Type it in
                        </Link>
                      )
                    ) : (
                      <Link to={to('salesZReadingOne', { id: gap.id })} className={classes.link}>
                        Open
                      </Link>
                    )}
                  </li>
                ))}
                {chain.days.slice(0, MOST_NAMED).map(({ date, state: how, words }) => (
                  <li key={date}>
                    <StatusPill tone={how === 'waiting' ? 'warn' : 'danger'}>
                      {DAYS[how] ?? how}
                    </StatusPill>
                    <span>{words}</span>
                    {how !== 'missing' ? (
                      <Link
                        to={to('salesZReading', null, {
                          storeId,
                          terminalId,
                          from: date,
                          to: date,
                        })}
                        className={classes.link}
                      >
                        Show
                      </Link>
                    ) : (
                      <>
                        {mayCreate && (
                          <Link
                            to={to(
                              'salesZReadingOne',
                              { id: 'new' },
                              { storeId, terminalId, date },
                            )}
                            className={classes.link}
                          >
                            Type it in
                          </Link>
                        )}
                        {mayOverride && (
                          <button
                            type="button"
                            className={classes.link}
                            onClick={() => setAbsent(date)}
                          >
                            No reading exists…
                          </button>
                        )}
                      </>
                    )}
                  </li>
                ))}
                {chain.days.length > MOST_NAMED && (
                  <li className={classes.muted}>
                    and {plural(chain.days.length - MOST_NAMED, 'more day')}
                  </li>
                )}
              </ul>
            )}
          </Panel>
        </>
      ) : (
        !(isPending && terminalId) && (
          <EmptyState
            icon={IconLink}
            title="No counters yet"
            text="The chain of a till begins with its first Z-reading that has a counter."
          />
        )
      )}
    </Page>
  );
}

/** The day after a reading of the chain. */
function dayAfter({ links }: Chain, id?: string | null): string | undefined {
  const link = links.find((one) => one.id === id);
  return link && addDays(link.businessDate, 1);
}

/** Most readings drawn; earlier ones are in the list. */
const MOST = 60;

/** The counters as a line of dots; a gap shows how many are missing. */
function ChainLine({ chain }: { chain: Chain }) {
  const links = chain.links.slice(-MOST);
  const broken = new Map(chain.gaps.filter(({ before }) => before).map((gap) => [gap.id, gap]));
  return (
    <ol className={classes.chain} aria-label="Counters in their order">
      {links.map((link, i) => {
        const gap = broken.get(link.id);
        const label = `Z counter ${link.zCounter}, ${day(link.businessDate)}, ${
          STATES[link.state]?.label ?? link.state
        }, net ${money(link.net)}${gap ? `. ${gap.words}` : ''}`;
        return (
          <li key={link.id} data-gap={i > 0 && gap ? gap.kind : undefined}>
            {i > 0 && (
              <span className={classes.span} title={gap?.words}>
                {gap?.kind === 'missing' && gap.from != null && gap.to != null
                  ? gap.to - gap.from + 1
                  : gap && '!'}
              </span>
            )}
            <Link
              to={to('salesZReadingOne', { id: link.id })}
              className={classes.dot}
              data-state={link.state}
              title={label}
            >
              <b className="num">{link.zCounter}</b>
              <span>{shortDay(link.businessDate)}</span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
