import { type ClipboardEvent, type FocusEvent, type KeyboardEvent, useMemo, useRef } from 'react';
import { placePaste, readPaste } from '#/grid/model';
import { Matrix } from '#/reports/matrix/Matrix';
import { nextSort, sortRows } from '#/reports/matrix/sorting';
import { type TableState, writeSort } from '#/table/useTableState';
import { kindOfUnit, shownTyped } from '#/ui/numberInput';
import type { Orders } from '../kitchenOrders';
import { columnsOf } from './columns';
import { keyOf, type Row } from './figures';
import classes from './Orders.module.css';
import type { Typing } from './useSharing';

interface Props {
  orders: Orders;
  rows: readonly Row[];
  typing: Typing;
  state: TableState;
  stale: boolean;
  isShort(row: Row): boolean;
  onProduct(row: Row): void;
  onStore(storeId: string): void;
  /** The focused cell, to explain its share. */
  onCell(row: Row | null, storeId: string): void;
}

/** Products × stores; cells are editable while sharing. */
export function Board(props: Props) {
  const { orders, rows, typing, state, onProduct, onStore } = props;
  const { model, on } = typing;
  const box = useRef<HTMLDivElement>(null);
  const { columns, total } = useMemo(
    () => columnsOf({ orders, rows, typing, onProduct, onStore }),
    [orders, rows, typing, onProduct, onStore],
  );
  const sorted = useMemo(
    () => sortRows(rows, state.sort, total ? [...columns, total] : columns),
    [rows, state.sort, columns, total],
  );

  const placeOf = (target: EventTarget) => {
    const cell = (target as HTMLElement).closest<HTMLElement>('[data-r]');
    const [r, c] = [Number(cell?.dataset.r), Number(cell?.dataset.c)];
    return cell ? { r, c, row: sorted[r] ?? null, storeId: columns[c - 1]?.id ?? '' } : null;
  };

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (!on) return;
    const target = event.target as HTMLInputElement;
    const command = event.ctrlKey || event.metaKey;
    const letter = event.key.toLowerCase();
    if (command && (letter === 'z' || letter === 'y')) {
      event.preventDefault();
      if (letter === 'y' || event.shiftKey) model.redo();
      else model.undo();
      return;
    }
    const at = placeOf(target);
    if (target.tagName !== 'INPUT' || !at?.row) return;
    const key = keyOf(at.row.id, at.storeId);
    if (event.key === 'Escape' && model.text(key, 'share') !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      model.restore(key, 'share');
      target.dataset.editing = 'false';
      requestAnimationFrame(() => target.select());
    } else if (event.key === 'F2') {
      event.preventDefault();
      target.dataset.editing = 'true';
      target.setSelectionRange(target.value.length, target.value.length);
    }
  }

  function onPaste(event: ClipboardEvent<HTMLDivElement>): void {
    const at = placeOf(event.target);
    if (!on || !at?.row || (event.target as HTMLElement).tagName !== 'INPUT') return;
    const cells = readPaste(event.clipboardData.getData('text/plain'));
    if (cells.length === 1 && cells[0]?.length === 1) return;
    event.preventDefault();
    const places = placePaste(
      cells,
      sorted.map(({ id }) => id),
      columns.map(({ id }) => id),
      { row: at.r, column: at.c - 1 },
    );
    model.commit();
    model.set(
      places.flatMap(({ row, column, text }) => {
        const key = keyOf(row, column);
        const open = (typing.shares.cells.get(key)?.wanted ?? 0) > 0;
        const product = sorted.find(({ id }) => id === row);
        const as = kindOfUnit(product?.uomCode, product?.whole);
        return open ? [{ row: key, column: 'share', text: shownTyped(text, as), as }] : [];
      }),
    );
    model.commit();
  }

  function onFocus(event: FocusEvent<HTMLDivElement>): void {
    model.commit();
    const at = placeOf(event.target);
    props.onCell(at?.row ?? null, at?.storeId ?? '');
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the grid inside has the roles
    <div
      ref={box}
      className={classes.board}
      data-sharing={on || undefined}
      onKeyDownCapture={onKeyDown}
      onPaste={onPaste}
      onFocus={onFocus}
    >
      <Matrix<Row>
        label="Products by store"
        rows={sorted}
        columns={columns}
        total={total}
        rowsAre="Product"
        foot="Products"
        sort={state.sort}
        onSort={(by, text) => state.set({ sort: writeSort(nextSort(state.sort, by, text)) })}
        toneOf={(row) => (props.isShort(row) ? 'danger' : null)}
        onName={onProduct}
        phone={false}
        stale={props.stale}
      />
    </div>
  );
}
