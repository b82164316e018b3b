import { memo, useCallback, useMemo, useSyncExternalStore } from 'react';
import { EntryCell } from '#/grid/EntryCell';
import type { Edit } from '#/grid/types';
import { qty } from '#/ui/format';
import { type Row, type StoreCell, seen } from './figures';
import classes from './Orders.module.css';
import { wrong } from './sharing';
import type { Typing } from './useSharing';

interface Props {
  typing: Typing;
  row: Row;
  cell: StoreCell;
  store: string;
}

/** How a share is edited; a typed share stays marked, even if it equals the computed one. */
export function shareEdit(typing: Typing, row: Row): Edit<StoreCell> {
  const { model, shares } = typing;
  return {
    kind: 'number',
    unit: () => row.uomCode,
    whole: () => row.whole,
    value: ({ key }) => (model.text(key, 'share') ? null : seen(shares.cells.get(key)?.share ?? 0)),
    can: ({ key }) => (shares.cells.get(key)?.wanted ?? 0) > 0,
    check: (value, { key }) =>
      value === null ? null : wrong(value, shares.cells.get(key)?.wanted ?? 0, row.uomCode),
  };
}

/** A store's share, editable. */
export const ShareCell = memo(function ShareCell({ typing, row, cell, store }: Props) {
  const { model, shares, errors } = typing;
  useSyncExternalStore(
    useCallback((tell) => model.onRow(cell.key, tell), [model, cell.key]),
    () => model.version(cell.key),
  );
  const edit = useMemo(() => shareEdit(typing, row), [typing, row]);
  const share = shares.cells.get(cell.key);
  if (!share) return <span className={classes.sent}>{qty(seen(cell.toSend))}</span>;
  if (share.wanted === 0) return <span className={classes.sent}>sent</span>;
  return (
    <span className={classes.share} data-less={share.share < share.wanted || undefined}>
      <small aria-hidden>{qty(seen(share.wanted))}</small>
      <EntryCell
        edit={edit as Edit<unknown>}
        row={cell}
        at={0}
        id={cell.key}
        column="share"
        label={`${row.name}, ${store}: share of ${qty(seen(share.wanted))} ${row.uomCode}`}
        model={model}
        error={errors.get(`${cell.key}/share`)}
        phone={false}
      />
    </span>
  );
});
