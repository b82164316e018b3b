import { describe, expect, it } from 'vitest';
import { GridModel, placePaste, readNumber, readPaste } from './model';

const set = (model: GridModel, row: string, text: string) =>
  model.set([{ row, column: 'qty', text }]);

describe('the grid model', () => {
  it('undoes typing in one cell as one step', () => {
    const model = new GridModel();
    for (const text of ['1', '12', '12*', '12*2']) set(model, 'a', text);
    model.commit();
    set(model, 'b', '5');
    expect(model.number('a', 'qty', null)).toBe(24);
    model.undo();
    expect(model.text('b', 'qty')).toBeUndefined();
    expect(model.text('a', 'qty')).toBe('12*2');
    model.undo();
    expect(model.dirty).toBe(false);
    model.redo();
    model.redo();
    expect(model.text('b', 'qty')).toBe('5');
    expect(model.undo()).toHaveLength(1);
  });

  it('cancels what is being typed, never what was committed', () => {
    const model = new GridModel();
    set(model, 'a', '5');
    model.commit();
    model.cancel('a', 'qty');
    expect(model.text('a', 'qty')).toBe('5');
    for (const text of ['7', '75']) set(model, 'a', text);
    model.cancel('a', 'qty');
    expect(model.text('a', 'qty')).toBe('5');
    model.cancel('a', 'qty');
    expect(model.text('a', 'qty')).toBe('5');
    set(model, 'a', '8');
    model.undo();
    model.cancel('a', 'qty');
    expect(model.text('a', 'qty')).toBe('5');
    model.undo();
    expect(model.dirty).toBe(false);
  });

  it('undoes a paste as a whole, and notifies only the rows it changed', () => {
    const model = new GridModel();
    let told = 0;
    model.onRow('c', () => {
      told += 1;
    });
    const rows = ['a', 'b', 'c'];
    model.set(
      placePaste(readPaste('3\tx\r\n4\ty\r\n'), rows, ['qty', 'note'], { row: 0, column: 0 }),
    );
    expect([model.text('a', 'qty'), model.text('b', 'note')]).toEqual(['3', 'y']);
    expect(told).toBe(0);
    model.undo();
    expect(model.dirty).toBe(false);
    expect(placePaste([['1'], ['2']], rows, ['qty'], { row: 2, column: 0 })).toHaveLength(1);
  });

  it('restores a cell as saved, and can undo that', () => {
    const model = new GridModel();
    set(model, 'a', '7');
    model.restore('a', 'qty');
    expect(model.number('a', 'qty', 3)).toBe(3);
    model.undo();
    expect(model.number('a', 'qty', 3)).toBe(7);
    model.clear();
    expect(model.undo()).toBeNull();
  });

  it('forgets what was saved, and keeps what was typed while it was sent', () => {
    const model = new GridModel();
    set(model, 'a', '7');
    set(model, 'b', '8');
    set(model, 'c', '9');
    const settle = model.sending();
    set(model, 'b', '80');
    set(model, 'd', '1');
    settle();
    expect(['a', 'b', 'c', 'd'].map((row) => model.text(row, 'qty'))).toEqual([
      undefined,
      '80',
      undefined,
      '1',
    ]);
    expect(model.rows()).toEqual(['b', 'd']);
  });

  it('parses numbers as people write them', () => {
    expect(readNumber('1,234.5', 'whole')).toBe(1234.5);
    expect(readNumber('12*6+3', 'whole')).toBe(75);
    expect(readNumber('  ', 'whole')).toBeNull();
    expect(readNumber('many', 'whole')).toBeNaN();
  });
});
