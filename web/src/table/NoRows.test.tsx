// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { DataTableProps } from './DataTable';
import { NoRows } from './NoRows';

function show(q: string, narrowed: boolean) {
  const props = { many: 'items', source: {}, state: { q, set: () => {} }, narrowed };
  render(
    <MantineProvider env="test">
      <NoRows {...(props as unknown as DataTableProps<object>)} />
    </MantineProvider>,
  );
}

describe('a table without rows', () => {
  it('asks for the spelling of what was typed', () => {
    show('ric', true);
    expect(screen.getByText('No items match “ric”')).toBeTruthy();
    expect(screen.getByText('Check the spelling or clear the filter.')).toBeTruthy();
  });

  it('does not where nothing was typed', () => {
    show('', true);
    expect(screen.getByText('No items match')).toBeTruthy();
    expect(screen.getByText('Clear the filter to see all items.')).toBeTruthy();
    expect(screen.queryByText(/spelling/)).toBeNull();
  });
});
