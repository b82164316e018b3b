import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { qty } from '#/ui/format';
import { Matrix, type MatrixProps } from './Matrix';
import type { MatrixColumn } from './types';

interface Row {
  id: string;
  name: string;
  values: number[];
}

const rows: Row[] = Array.from({ length: 248 }, (_, i) => ({
  id: `r${i}`,
  name: `Item ${i}`,
  values: Array.from({ length: 200 }, (_, week) => (i + week) % 7),
}));

function show(props: Partial<MatrixProps<Row>> = {}) {
  const onPick = vi.fn();
  const onName = vi.fn();
  const onSort = vi.fn();
  const columns = Array.from(
    { length: 200 },
    (_, at): MatrixColumn<Row> => ({
      id: `w${at}`,
      label: `Week ${at}`,
      width: 70,
      grow: true,
      value: ({ values }) => values[at],
      format: String,
      foot: `sum ${at}`,
      onPick: (row) => onPick(at, row?.id ?? null),
    }),
  );
  render(
    <Matrix<Row>
      label="Weeks"
      rows={rows}
      columns={columns}
      total={{ id: 'total', label: 'Total', width: 90, value: () => 9, format: String, foot: '99' }}
      rowsAre="Item"
      foot="Total"
      sort={null}
      onSort={onSort}
      markOf={() => null}
      onName={onName}
      phone={false}
      {...props}
    />,
  );
  return { onPick, onName, onSort, grid: screen.getByRole('grid', { name: 'Weeks' }) };
}

const press = (key: string) => fireEvent.keyDown(document.activeElement as Element, { key });
const focused = () => (document.activeElement as HTMLElement).dataset;

describe('the matrix on screen', () => {
  it('names the store of each row beside its name', () => {
    show({ noteOf: ({ id }) => `Store of ${id}` });
    const name = screen.getByTitle('Item 0, Store of r0');
    expect(name.textContent).toBe('Item 0 Store of r0');
  });

  it('has the full quantity of a rounded one in its tooltip', () => {
    const column = { id: 'q', label: 'Quantity', width: 90, value: () => 0.123456 };
    show({ columns: [{ ...column, format: qty }], total: null });
    expect(screen.getAllByTitle('0.123456')[0]?.textContent).toBe('0.123');
  });

  it('renders only some of its cells and says how many there are', () => {
    const { grid } = show();
    expect(grid.getAttribute('aria-rowcount')).toBe('250');
    expect(grid.getAttribute('aria-colcount')).toBe('202');
    expect(grid.querySelectorAll('td').length).toBeLessThan(2500);
  });

  it('is navigated by arrow keys and opens with Enter', () => {
    const { grid, onPick, onName } = show();
    (grid.parentElement as HTMLElement).focus();
    press('ArrowDown');
    expect(focused()).toMatchObject({ r: '0', c: '0' });
    press('ArrowRight');
    press('ArrowDown');
    expect(focused()).toMatchObject({ r: '1', c: '1' });
    press('Enter');
    expect(onPick).toHaveBeenCalledWith(0, 'r1');
    press('ArrowLeft');
    fireEvent.click(document.activeElement as Element);
    expect(onName).toHaveBeenCalledWith(rows[1]);
    press('ArrowUp');
    press('ArrowUp');
    expect(focused()).toMatchObject({ r: '-1', c: '0' });
  });

  it('opens sums too, but no empty cells', () => {
    const { grid, onPick } = show();
    fireEvent.click(screen.getByText('sum 1'));
    expect(onPick).toHaveBeenCalledWith(1, null);
    const nothing = [...grid.querySelectorAll<HTMLElement>('td[data-c="1"]')].find(
      (cell) => cell.textContent === '0',
    );
    onPick.mockClear();
    if (nothing) fireEvent.click(nothing);
    expect(nothing).toBeDefined();
    expect(onPick).not.toHaveBeenCalled();
  });

  const feet = (columns: readonly MatrixColumn<Row>[]) => [
    { id: 'kg', label: 'Total in kg', after: 2, columns, total: null },
    { id: 'pc', label: 'Total in pc', after: 3, columns, total: null },
  ];

  it('has sums between its rows, and none below them all', () => {
    const column = { id: 'q', label: 'Quantity', width: 90, value: () => 4, foot: '8' };
    const { grid } = show({
      rows: rows.slice(0, 3),
      columns: [column],
      total: null,
      foot: null,
      feet: feet([column]),
    });
    const heads = [...grid.querySelectorAll('tbody th')].map((one) => one.textContent?.trim());
    expect(heads).toEqual(['Item 0', 'Item 1', 'Total in kg', 'Item 2', 'Total in pc']);
    expect([grid.getAttribute('aria-rowcount'), grid.querySelector('tfoot')]).toEqual(['6', null]);
    (grid.parentElement as HTMLElement).focus();
    press('ArrowDown');
    for (let down = 0; down < 9; down += 1) press('ArrowDown');
    expect(focused()).toMatchObject({ r: '4', c: '0' });
    press('ArrowRight');
    expect(document.activeElement?.textContent).toBe('8');
  });

  it('is printed with its sums', () => {
    const column = { id: 'q', label: 'Quantity', width: 90, value: () => 4, foot: '8' };
    show({ rows: rows.slice(0, 3), columns: [column], total: null, feet: feet([column]) });
    fireEvent(window, new Event('beforeprint'));
    const heads = [...document.querySelectorAll('tbody th')].map((one) => one.textContent);
    expect(heads).toEqual(['Item 0', 'Item 1', 'Total in kg', 'Item 2', 'Total in pc', 'Total']);
    fireEvent(window, new Event('afterprint'));
  });

  it('is printed whole', () => {
    const few = rows.slice(0, 3);
    show({ rows: few });
    fireEvent(window, new Event('beforeprint'));
    expect(screen.queryByRole('grid')).toBeNull();
    expect(screen.getAllByText('Week 199')).toHaveLength(1);
    expect(screen.getAllByText('Item 2')).toHaveLength(Math.ceil(200 / 12));
    fireEvent(window, new Event('afterprint'));
    expect(screen.getByRole('grid')).toBeDefined();
  });
});
