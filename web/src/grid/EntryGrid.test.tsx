// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { goesToSearch } from '#/ui/keys';
import { EntryCell } from './EntryCell';
import { type GridParts, pressKey } from './gridKeys';
import { HiddenChanges } from './HiddenChanges';
import { GridModel } from './model';
import type { GridColumn } from './types';
import { firstWrong } from './useRefusal';

interface Row {
  id: string;
}
const rows: Row[] = [{ id: 'a' }, { id: 'b' }];
const qty: GridColumn<Row> = { id: 'qty', label: 'Qty', edit: { kind: 'number', value: () => 2 } };
const rowId = ({ id }: Row) => id;

function show() {
  const model = new GridModel();
  const parts: GridParts<Row> = {
    rows,
    rowId,
    editable: [qty],
    model,
    focusCell: vi.fn(),
    onSave: undefined,
  };
  const cell = () => (
    <div role="grid" tabIndex={-1} onKeyDown={(event) => pressKey(event, parts)}>
      <EntryCell
        edit={{ kind: 'number', value: () => 2 }}
        row={rows[0]}
        at={0}
        id="a"
        column="qty"
        label="Qty"
        model={model}
        phone={false}
      />
    </div>
  );
  const { rerender } = render(cell());
  const input = screen.getByLabelText<HTMLInputElement>('Qty');
  input.focus();
  const type = (text: string) => {
    fireEvent.change(input, { target: { value: text } });
    rerender(cell());
  };
  return { model, input, type };
}

it('keeps a committed number when Escape leaves its cell', () => {
  const { model, input, type } = show();
  type('5');
  model.commit();
  input.blur();
  input.focus();
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(model.text('a', 'qty')).toBe('5');
  expect(document.activeElement).toBe(screen.getByRole('grid'));
});

it('takes back with Escape what is being typed, and stays in the cell', () => {
  const { model, input, type } = show();
  type('5');
  model.commit();
  type('57');
  fireEvent.keyDown(input, { key: 'Escape' });
  expect(model.text('a', 'qty')).toBe('5');
  expect(document.activeElement).toBe(input);
});

it('goes to the search with «/» from a selected number, and divides in one being typed', () => {
  const { input, type } = show();
  const seen: boolean[] = [];
  const listen = (event: KeyboardEvent) => seen.push(goesToSearch(event));
  window.addEventListener('keydown', listen);
  fireEvent.keyDown(input, { key: '/' });
  type('6');
  fireEvent.keyDown(input, { key: '/' });
  fireEvent.keyDown(document.body, { key: '/' });
  window.removeEventListener('keydown', listen);
  expect(seen).toEqual([true, false, true]);
});

it('finds the first wrong cell after a refusal', () => {
  const errors = new Map([['b/qty', 'Too many.']]);
  expect(firstWrong({ rows, rowId, editable: [qty] }, errors)).toEqual({ row: 1, column: 'qty' });
  expect(firstWrong({ rows: [], rowId, editable: [qty] }, errors)).toBeNull();
});

it('says that the filter hides changed lines', () => {
  const model = new GridModel();
  model.set([{ row: 'b', column: 'qty', text: '3' }]);
  const all = vi.fn();
  render(
    <MantineProvider env="test">
      <HiddenChanges model={model} shown={['a']} onShowAll={all} />
    </MantineProvider>,
  );
  expect(screen.getByRole('status').textContent).toContain('1 changed line not shown');
  fireEvent.click(screen.getByRole('button', { name: 'Show all lines' }));
  expect(all).toHaveBeenCalledOnce();
});
