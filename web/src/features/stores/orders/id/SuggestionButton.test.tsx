// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { SuggestionButton } from './SuggestionButton';

function show(suggested: number, differing: number) {
  const take = vi.fn();
  render(
    <MantineProvider>
      <SuggestionButton suggested={suggested} differing={differing} onTake={take} />
    </MantineProvider>,
  );
  return take;
}

it('says nothing about suggestions where no item has one', () => {
  show(0, 0);
  expect(screen.queryByRole('button')).toBeNull();
});

it('says that nothing differs only where there is a suggestion', () => {
  show(3, 0);
  const button = screen.getByRole('button', { name: 'Nothing differs from the suggestion' });
  expect(button).toHaveProperty('disabled', true);
});

it('takes the suggestions that differ', () => {
  const take = show(3, 2);
  fireEvent.click(screen.getByRole('button', { name: 'Take the suggestion for 2 items' }));
  expect(take).toHaveBeenCalledOnce();
});
