import { memo, useCallback, useSyncExternalStore } from 'react';
import { EntryCell } from './EntryCell';
import classes from './EntryGrid.module.css';
import type { GridModel } from './model';
import type { GridColumn } from './types';

interface LineProps {
  row: unknown;
  at: number;
  id: string;
  name: string;
  columns: readonly GridColumn<unknown>[];
  model: GridModel;
  errors?: ReadonlyMap<string, string> | undefined;
  template: string;
  start: number;
  phone: boolean;
  measure?: ((element: Element | null) => void) | undefined;
  index: number;
}

/** One row; it is drawn again when something in it changes, and for nothing else. */
export const GridLine = memo(function GridLine(props: LineProps) {
  const { row, at, id, columns, model, errors, template, start, phone } = props;
  useSyncExternalStore(
    useCallback((tell) => model.onRow(id, tell), [model, id]),
    () => model.version(id),
  );
  const cell = (column: GridColumn<unknown>) => {
    const canEdit = column.edit && (column.edit.can?.(row) ?? true);
    if (column.edit && canEdit) {
      return (
        <EntryCell
          edit={column.edit}
          row={row}
          at={at}
          id={id}
          column={column.id}
          label={`${column.label}, ${props.name}`}
          model={model}
          error={errors?.get(`${id}/${column.id}`)}
          phone={phone}
        />
      );
    }
    if (column.cell) return column.cell(row);
    const value = column.edit?.value(row);
    return value == null ? '–' : String(value);
  };
  if (phone) {
    const primary = columns.find((column) => column.primary);
    const subs = columns.filter((column) => column.phone === 'sub' && !column.edit);
    const tools = columns.filter((column) => column.phone === 'tool');
    const edits = columns.filter((column) => column.edit && column.phone !== 'none');
    return (
      <div
        role="row"
        tabIndex={-1}
        aria-rowindex={at + 2}
        className={classes.card}
        style={{ transform: `translateY(${start}px)` }}
        ref={props.measure}
        data-index={props.index}
      >
        <div role="gridcell" tabIndex={-1} className={classes.cardText}>
          <div className={classes.cardName}>{primary?.cell?.(row) ?? props.name}</div>
          <div className={classes.cardSub}>
            {subs.map((column) => {
              const shown = column.cell?.(row);
              return shown == null || shown === '' ? null : (
                <span key={column.id}>
                  {column.label} {shown}
                </span>
              );
            })}
          </div>
        </div>
        {tools.map((column) => (
          <div key={column.id} role="gridcell" tabIndex={-1}>
            {column.cell?.(row)}
          </div>
        ))}
        {edits.map((column) => (
          <div
            key={column.id}
            role="gridcell"
            tabIndex={-1}
            className={classes.cardCell}
            data-kind={column.edit?.kind}
          >
            {edits.length > 1 && <span className={classes.cardLabel}>{column.label}</span>}
            {cell(column)}
          </div>
        ))}
      </div>
    );
  }
  return (
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={at + 2}
      className={classes.row}
      style={{ transform: `translateY(${start}px)`, gridTemplateColumns: template }}
    >
      {columns.map((column) => (
        <div
          key={column.id}
          role={column.primary ? 'rowheader' : 'gridcell'}
          tabIndex={-1}
          data-right={column.right || undefined}
          data-edit={column.edit && (column.edit.can?.(row) ?? true) ? '' : undefined}
          data-tool={column.phone === 'tool' || undefined}
          className={classes.cell}
        >
          {cell(column)}
        </div>
      ))}
    </div>
  );
});
