import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistoryOff } from '@tabler/icons-react';
import { Problem } from '#/api/problem';
import { can, useMe } from '#/api/session';
import type { TableState } from '#/table/useTableState';
import { DateRange } from '#/ui/DateRange';
import { isDay, type Range, today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { ExportButton } from '#/ui/ExportButton';
import { DOT, money, qty } from '#/ui/format';
import { type By, type Ledger, ledgerHref, useLedger } from './api';
import { BalanceChart } from './BalanceChart';
import { Days } from './Days';
import classes from './Ledger.module.css';
import { signed } from './labels';

interface Props {
  storeId: string;
  by: By;
  /** The item, or the root item. */
  id: string;
  /** Keeps the days as `since` and `until`. */
  state: TableState;
}

/** All movements and counts of an item in a range of days, with the balance after each. */
export function LedgerPanel({ storeId, by, state, id }: Props) {
  const me = useMe();
  const [since, until] = [state.get('since'), state.get('until')];
  const chosen: Range | null = isDay(since) && isDay(until) ? { from: since, to: until } : null;
  const asked = { storeId, by, id, range: chosen };
  const { data, error, isPending, isPlaceholderData, refetch } = useLedger(asked);
  const shown = chosen ?? (data && { from: data.from, to: data.to });

  function choose({ from, to }: Range): void {
    const now = today();
    // Some presets end in the future.
    state.set({ since: from > now ? now : from, until: to > now ? now : to });
  }

  return (
    <div className={classes.body}>
      <div className={classes.tools}>
        {shown && <DateRange value={shown} onChange={choose} />}
        {chosen && (
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => state.set({ since: null, until: null })}
          >
            Since the last two counts
          </Button>
        )}
        {data && can(me, 'stores/storeInventory', 'export') && (
          <span className={classes.aside}>
            <ExportButton href={ledgerHref(asked)} />
          </span>
        )}
      </div>
      {error && !isPlaceholderData && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : isPending || !data ? (
        <Waiting />
      ) : (
        <div className={classes.content} aria-busy={isPlaceholderData}>
          <FiguresOf ledger={data} />
          <BalanceChart ledger={data} />
          {data.truncated && (
            <p className={classes.note} role="status">
              There are more documents than can be shown: those of the earlier days are left out.
              Choose fewer days to see them.
            </p>
          )}
          {data.item.beside.length > 0 && by === 'items' && (
            <p className={classes.note}>
              {data.item.name} shares{' '}
              {data.item.roots.length === 1 ? data.item.roots[0]?.name : 'its root items'} with{' '}
              {data.item.beside.join(', ')}. Each takes its part of what came and was used, by what
              was counted of it; documents are shown whole.
            </p>
          )}
          {data.days.length === 0 ? (
            <EmptyState
              compact
              icon={IconHistoryOff}
              title="Nothing happened in these days"
              text="No counts, documents or sales on these days. Choose other days."
            />
          ) : (
            <Days ledger={data} may={(permission) => can(me, permission)} />
          )}
        </div>
      )}
    </div>
  );
}

function FiguresOf({ ledger }: { ledger: Ledger }) {
  const { onHand, expected, variance, varianceValue, item } = ledger;
  const unit = item.uomCode && <small> {item.uomCode}</small>;
  return (
    <dl className={classes.figures}>
      <div>
        <dt>On hand</dt>
        <dd data-tone={onHand != null && onHand < 0 ? 'less' : undefined}>
          {onHand == null ? 'Never counted' : qty(onHand)}
          {onHand != null && unit}
        </dd>
      </div>
      <div>
        <dt>Expected at the last count</dt>
        <dd>
          {qty(expected)}
          {expected != null && unit}
        </dd>
      </div>
      <div>
        <dt>Variance</dt>
        <dd data-tone={variance ? (variance < 0 ? 'less' : 'more') : undefined}>
          {signed(variance)}
          {variance != null && unit}
          {varianceValue != null && (
            <small>
              {DOT}
              {money(varianceValue)}
            </small>
          )}
        </dd>
      </div>
    </dl>
  );
}

function Waiting() {
  return (
    <div className={classes.content}>
      <Skeleton height={58} />
      <Skeleton height={230} />
      {Array.from({ length: 7 }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
        <Skeleton key={i} height={14} width={`${88 - ((i * 17) % 40)}%`} />
      ))}
      <p className="sr-only" role="status">
        Loading…
      </p>
    </div>
  );
}

function Failed({ error, retry }: { error: unknown; retry(): void }) {
  const problem = Problem.of(error);
  const fieldMessages = problem.fields.map(({ message }) => message).join(' ');
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title={problem.status === 404 ? 'This store does not count it' : 'This could not be loaded'}
      text={
        problem.status === 404
          ? 'It may have been taken off its list.'
          : fieldMessages || problem.message
      }
      action={
        problem.status !== 404 && (
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        )
      }
    />
  );
}
