import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { Photos } from './Photos';

it('sends the photos after a refused one, and reports those left out', async () => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (_: string, { body }: { body: File }) => {
    sent.push(body.name);
    const refused = body.name === 'torn.png';
    return new Response(
      JSON.stringify(refused ? { detail: 'This is not a picture.' } : { id: body.name }),
      { status: refused ? 422 : 200 },
    );
  });
  const changed = vi.fn();
  const had = Array.from({ length: 18 }, (_, i) => `p${i}`);
  const { container } = render(
    <MantineProvider>
      <Photos storeId="s" ids={had} onChange={changed} />
    </MantineProvider>,
  );
  const files = ['torn.png', 'whole.png', 'third.png'].map((name) => new File(['x'], name));
  fireEvent.change(container.querySelector('input') as HTMLInputElement, { target: { files } });
  const words = (await screen.findByRole('alert')).textContent;
  expect(words).toContain('1 photo was left out: a document takes 20.');
  expect(words).toContain('torn.png: This is not a picture.');
  expect(sent).toEqual(['torn.png', 'whole.png']);
  expect(changed).toHaveBeenCalledWith([...had, 'whole.png']);
  vi.unstubAllGlobals();
});
