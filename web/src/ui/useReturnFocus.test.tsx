import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { DrawerFrame } from './DrawerFrame';

/** A page that drops its drawer; saving in it also takes its button away, as a step does. */
function Files() {
  const [opened, setOpened] = useState(false);
  const [taken, setTaken] = useState(false);
  return (
    <MantineProvider env="test">
      <main id="content" tabIndex={-1}>
        {!taken && (
          <button type="button" onClick={() => setOpened(true)}>
            Settlement file
          </button>
        )}
      </main>
      {opened && (
        <DrawerFrame opened title="Files" onClose={() => setOpened(false)}>
          <button
            type="button"
            onClick={() => {
              setTaken(true);
              setOpened(false);
            }}
          >
            Take
          </button>
        </DrawerFrame>
      )}
    </MantineProvider>
  );
}

async function opened() {
  render(<Files />);
  const button = screen.getByRole('button', { name: 'Settlement file' });
  button.focus();
  fireEvent.click(button);
  const take = await screen.findByRole('button', { name: 'Take' });
  take.focus();
  return { button, take };
}

it('goes back to the button that opened a drawer', async () => {
  const { button } = await opened();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('goes to the content of the page if that button is gone', async () => {
  const { take } = await opened();
  fireEvent.click(take);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('main')));
});

/** A page that keeps its drawer, and opens it when a request of its button is answered. */
function Export() {
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState(false);
  const make = async () => {
    setBusy(true);
    await Promise.resolve();
    setBusy(false);
    setOpened(true);
  };
  return (
    <MantineProvider env="test">
      <button type="button" disabled={busy} onClick={() => void make()}>
        Export
      </button>
      <DrawerFrame opened={opened} title="Files" onClose={() => setOpened(false)}>
        Two files
      </DrawerFrame>
    </MantineProvider>
  );
}

it('goes back to a button that was busy', async () => {
  render(<Export />);
  const button = screen.getByRole('button', { name: 'Export' });
  button.focus();
  fireEvent.click(button);
  // As browsers do with a button that is disabled.
  button.blur();
  const close = await screen.findByRole('button', { name: 'Close' });
  close.focus();
  fireEvent.click(close);
  await waitFor(() => expect(document.activeElement).toBe(button));
});
