import { Select } from '@mantine/core';
import { IconLink } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { to } from '#/paths';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { day, money, plural, shortDay } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
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

interface Props {
  nav: ReactNode;
  state: TableState;
}

/** A till's readings in counter order, as a line with gaps. */
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
          <Panel title={chain.gaps.length > 0 ? `${chain.gaps.length} to look at` : 'No gap'}>
            {chain.gaps.length === 0 ? (
              <p className={classes.muted}>
                Every counter goes on by one, every grand total where the last one ended.
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
                      <Link
                        to={to('salesZReadingOne', { id: 'new' }, { storeId, terminalId })}
                        className={classes.link}
                      >
                        Type it in
                      </Link>
                    ) : (
                      <Link to={to('salesZReadingOne', { id: gap.id })} className={classes.link}>
                        Open
                      </Link>
                    )}
                  </li>
                ))}
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
