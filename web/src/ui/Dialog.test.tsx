import { MantineProvider, Select } from '@mantine/core';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ComponentProps, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { Dialog } from './Dialog';

type Props = ComponentProps<typeof Dialog>;

function show(props: Partial<Props> = {}) {
  const [onConfirm, onClose, behind] = [vi.fn(), vi.fn(), vi.fn()];
  render(
    <MantineProvider env="test">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a page that saves on Ctrl+Enter */}
      <div onKeyDown={behind}>
        <Dialog
          opened
          title="Close the day"
          keep="Keep it open"
          confirm="Close the day"
          onConfirm={onConfirm}
          onClose={onClose}
          {...props}
        >
          <input aria-label="Reason" />
          <textarea aria-label="Notes" />
          <Select label="Till" data={['T1', 'T2']} />
        </Dialog>
      </div>
    </MantineProvider>,
  );
  return { onConfirm, onClose, behind };
}
const press = (at: HTMLElement, more: object = {}) =>
  fireEvent.keyDown(at, { key: 'Enter', code: 'Enter', ...more });
const reason = () => screen.getByLabelText('Reason');

it('is confirmed by Enter in a field of one line, and the page behind does not see it', () => {
  const { onConfirm, behind } = show();
  press(reason());
  expect(onConfirm).toHaveBeenCalledOnce();
  expect(behind).not.toHaveBeenCalled();
});

it('leaves Enter to text of several lines, to buttons and to an open list', async () => {
  const { onConfirm } = show();
  press(screen.getByLabelText('Notes'));
  press(screen.getByRole('button', { name: 'Keep it open' }));
  const till = screen.getByRole('combobox', { name: 'Till' });
  fireEvent.click(till);
  await waitFor(() => expect(till.getAttribute('aria-expanded')).toBe('true'));
  press(till);
  expect(onConfirm).not.toHaveBeenCalled();
});

it.each([{ ctrlKey: true }, { metaKey: true }])('is confirmed anywhere by %o and Enter', (keys) => {
  const { onConfirm } = show();
  press(screen.getByLabelText('Notes'), keys);
  press(screen.getByRole('button', { name: 'Keep it open' }), keys);
  expect(onConfirm).toHaveBeenCalledTimes(2);
});

it('needs Ctrl+Enter for what cannot be undone', () => {
  const { onConfirm } = show({ danger: true });
  press(reason());
  expect(onConfirm).not.toHaveBeenCalled();
  press(reason(), { ctrlKey: true });
  expect(onConfirm).toHaveBeenCalledOnce();
});

it.each([{ busy: true }, { disabled: true }, { confirm: undefined }])(
  'is not confirmed while it is %o',
  (props) => {
    const { onConfirm, behind } = show(props);
    press(reason(), { ctrlKey: true });
    press(reason());
    expect(onConfirm).not.toHaveBeenCalled();
    expect(behind).not.toHaveBeenCalled();
  },
);

it('asks once for a key that is held down', () => {
  const { onConfirm } = show();
  press(reason());
  press(reason(), { repeat: true });
  expect(onConfirm).toHaveBeenCalledOnce();
});

function Opening({ danger = false }: { danger?: boolean }) {
  const [opened, setOpened] = useState(false);
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setOpened(true)}>
        Ask
      </button>
      {opened && (
        <Dialog
          opened
          title="Delete it?"
          keep="Keep it"
          confirm="Delete it"
          danger={danger}
          onClose={() => setOpened(false)}
        >
          <p>It is gone for good.</p>
        </Dialog>
      )}
    </MantineProvider>
  );
}

it.each([
  [false, 'Delete it'],
  [true, 'Keep it'],
])('when dangerous is %s, the focus begins on «%s»', async (danger, name) => {
  render(<Opening danger={danger} />);
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  const button = await screen.findByRole('button', { name });
  await waitFor(() => expect(document.activeElement).toBe(button));
});
