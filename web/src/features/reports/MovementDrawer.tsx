import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconHistoryOff } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { type Cell, writeCell } from '#/ui/cell';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { DOT, qty } from '#/ui/format';
import classes from './Movement.module.css';
import { fromOpening, MovementDays } from './MovementDays';
import { type FigureKey, figureOf, type MovementFigures, type MovementRow } from './movement';
import { daysOf } from './movementDays';

export type Parts = components['schemas']['MovementParts'];

interface Props {
  state: ReportState;
  /** The rows as stored, which may differ from those computed now. */
  kept?: readonly MovementRow[];
}

/** The parts of a row's figure: documents, sales days and counts. */
export function MovementDrawer({ state, kept }: Props) {
  const { cell } = state;
  const last = useRef<{ cell: Cell; figure: string } | null>(null);
  if (cell) last.current = { cell, figure: state.get('figure') };
  // Keeps its content while it slides out.
  const shown = last.current;
  const asked = {
    storeId: shown?.cell.storeId ?? '',
    rootItemId: shown?.cell.itemId ?? '',
    from: shown?.cell.from ?? '',
    to: shown?.cell.to ?? '',
  };
  const query = useQuery({
    queryKey: ['reports', 'movement-parts', asked],
    queryFn: ({ signal }) =>
      request('GET', '/api/reports/root-item-movement-by-store/parts', {
        query: asked,
        signal,
      }),
    placeholderData: keepPreviousData,
    enabled: cell?.storeId != null && cell.itemId != null,
  });
  const row = kept?.find(
    (one) =>
      one.storeId === asked.storeId &&
      one.rootItemId === asked.rootItemId &&
      one.from === asked.from,
  );
  const data = query.isPlaceholderData ? undefined : query.data;
  return (
    <DrawerFrame
      opened={cell !== null}
      title={data?.name ?? row?.name ?? 'Root item'}
      size={720}
      onClose={() => state.set({ cell: null, figure: null })}
    >
      {shown && (
        <Drawer.Body className={classes.body} key={writeCell(shown.cell)}>
          {query.error && !data ? (
            <Failed error={query.error} retry={() => void query.refetch()} />
          ) : data ? (
            <Content
              parts={data}
              kept={row}
              figure={(figureOf(shown.figure)?.key ?? null) as FigureKey | null}
              onFigure={(figure) => state.set({ figure })}
            />
          ) : (
            <Waiting />
          )}
        </Drawer.Body>
      )}
    </DrawerFrame>
  );
}

interface ContentProps {
  parts: Parts;
  kept: MovementFigures | undefined;
  figure: FigureKey | null;
  onFigure(figure: FigureKey | null): void;
}

const SUM: readonly { key: FigureKey; sign: string }[] = [
  { key: 'opening', sign: '' },
  { key: 'received', sign: '+' },
  { key: 'transfersIn', sign: '+' },
  { key: 'transfersOut', sign: '−' },
  { key: 'waste', sign: '−' },
  { key: 'actualUse', sign: '−' },
  { key: 'closing', sign: '=' },
];

const USE: readonly { key: FigureKey; sign: string }[] = [
  { key: 'theoreticalUse', sign: '' },
  { key: 'actualUse', sign: '−' },
  { key: 'variance', sign: '=' },
];

function Content({ parts, kept, figure, onFigure }: ContentProps) {
  const days = daysOf(parts, figure);
  const said = figure && figureOf(figure);
  const other = kept && SUM.concat(USE).some(({ key }) => differs(kept, parts.figures, key));
  return (
    <div className={classes.content}>
      <p className={classes.where}>
        {parts.storeName}
        {DOT}
        {span(parts)}
      </p>
      <div className={classes.sums}>
        <Sum lines={SUM} label="From opening to closing" {...{ parts, kept, figure, onFigure }} />
        <Sum lines={USE} label="From use to variance" {...{ parts, kept, figure, onFigure }} />
      </div>
      {other && (
        <p className={classes.note} role="status">
          The snapshot differs in part: its figures are shown next to what counts, documents and
          sales come to now.
        </p>
      )}
      {parts.figures.actualUse == null && (
        <p className={classes.note}>
          Actual use and variance are not known: nothing was counted before the first day, or
          something was counted for the first time since.
        </p>
      )}
      {parts.truncated && (
        <p className={classes.note} role="status">
          There are more documents than can be shown: those of the earlier days are left out.
        </p>
      )}
      <div className={classes.heading}>
        <h3>{said ? `${said.label}: what it is made of` : 'Day by day'}</h3>
        {said && (
          <Button variant="subtle" size="compact-sm" onClick={() => onFigure(null)}>
            Show everything
          </Button>
        )}
      </div>
      {days.length === 0 && !fromOpening(figure) ? (
        <EmptyState
          compact
          icon={IconHistoryOff}
          title="Nothing behind this figure"
          text="No documents, sales or counts of it on these days."
        />
      ) : (
        <MovementDays parts={parts} days={days} figure={figure} />
      )}
    </div>
  );
}

const differs = (kept: MovementFigures, now: MovementFigures, key: FigureKey) =>
  (kept[key] ?? null) !== (now[key] ?? null);

interface SumProps extends ContentProps {
  lines: readonly { key: FigureKey; sign: string }[];
  label: string;
}

function Sum({ lines, label, parts, kept, figure, onFigure }: SumProps) {
  return (
    <table className={classes.sum} aria-label={label}>
      <tbody>
        {lines.map(({ key, sign }) => (
          <tr
            key={key}
            data-chosen={figure === key || undefined}
            data-result={sign === '=' || undefined}
          >
            <td aria-hidden>{sign}</td>
            <th scope="row">
              <button
                type="button"
                aria-pressed={figure === key}
                title={figureOf(key)?.words}
                onClick={() => onFigure(figure === key ? null : key)}
              >
                {figureOf(key)?.label}
              </button>
            </th>
            <td className="num">
              {kept && differs(kept, parts.figures, key) && (
                <s title="What the snapshot keeps">{qty(kept[key])}</s>
              )}{' '}
              {qty(parts.figures[key])} <small>{parts.unit}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Waiting() {
  return (
    <div className={classes.content}>
      <Skeleton height={16} width={220} />
      <Skeleton height={210} />
      {Array.from({ length: 6 }, (_, i) => (
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
  return (
    <EmptyState
      icon={IconAlertTriangle}
      role="alert"
      title="This could not be loaded"
      text={problem.fields.map(({ message }) => message).join(' ') || problem.message}
      action={
        <Button variant="default" onClick={retry}>
          Try again
        </Button>
      }
    />
  );
}
