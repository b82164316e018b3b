// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { EntryCell } from './EntryCell';
import { GridModel } from './model';
import type { Edit } from './types';

const written = (edit: Edit<unknown>) => {
  const { container } = render(
    <EntryCell
      edit={edit}
      row={{}}
      at={0}
      id="r1"
      column="note"
      label="Note, Bottled water"
      model={new GridModel()}
      phone={false}
    />,
  );
  return container.querySelector('[aria-hidden]')?.textContent;
};

it('gives the whole text of a field to the paper', () => {
  const text = 'Left in the sun at the gate for an hour, the driver says';
  expect(written({ kind: 'text', value: () => text })).toBe(text);
  const options = () => [
    { value: 'spoiled', label: 'Spoiled before the best-before date' },
    { value: 'broken', label: 'Broken' },
  ];
  expect(written({ kind: 'text', value: () => 'spoiled', options })).toBe(
    'Spoiled before the best-before date',
  );
  expect(written({ kind: 'number', value: () => 5 })).toBeUndefined();
});
