import { MantineProvider } from '@mantine/core';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { RefSelect } from './FieldInput';

const STORES = [
  { id: 's1', name: 'Bay Promenade', code: 'PSY01' },
  { id: 's2', name: 'Larkspur Mall' },
];
vi.mock('#/api/names', () => ({ useNames: () => ({ data: STORES, isPending: false }) }));

function open(value: string | null) {
  const set = vi.fn<(id: string | null) => void>();
  render(
    <MantineProvider>
      <RefSelect label="Store" of="stores" value={value} set={set} />
    </MantineProvider>,
  );
  const field = screen.getByRole('combobox', { name: 'Store' });
  // Without the focus, a change is a password manager's.
  act(() => field.focus());
  fireEvent.click(field);
  return { field, set };
}
/** Until the list has opened or been filtered. */
const moment = () => act(async () => new Promise((over) => setTimeout(over, 20)));

describe('a choice of a record', () => {
  it('takes the first match with Enter', async () => {
    const { field, set } = open(null);
    await moment();
    fireEvent.change(field, { target: { value: 'lark' } });
    await moment();
    fireEvent.keyDown(field, { code: 'Enter', key: 'Enter' });
    expect(set).toHaveBeenCalledWith('s2', expect.anything());
  });

  it('keeps a record that is chosen again', async () => {
    const { set } = open('s2');
    fireEvent.click(await screen.findByRole('option', { name: 'Larkspur Mall' }));
    expect(set).not.toHaveBeenCalled();
  });
});
