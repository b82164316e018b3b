import { MantineProvider } from '@mantine/core';
import { notifications, notificationsStore } from '@mantine/notifications';
import { act, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { SaveProblem } from './SaveProblem';
import { type Save, useSave } from './useSave';
import { compare } from './versions';

interface Till {
  name: string;
  revision: number;
}

afterEach(() => notifications.clean());

const toasts = () =>
  notificationsStore.getState().notifications.map(({ message, autoClose }) => [message, autoClose]);
const start = (revision: number | null = null, shows?: 'toast') =>
  renderHook(() => useSave<Till>({ revision, shows })).result;
function later<T>() {
  let resolve: (answer: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

const stale = new Problem(409, 'stale', 'This record was changed by Ana.', [], null, {
  current: { name: 'Front', revision: 5 },
});

describe('saving', () => {
  it('is busy under its name until the answer, then confirms and passes it on', async () => {
    const save = start();
    const [answer, onSaved] = [later<Till>(), vi.fn()];
    let saved: Promise<Till | null> = Promise.resolve(null);
    act(() => {
      saved = save.current.run(() => answer.promise, { as: 'teach', said: 'Till saved', onSaved });
    });
    expect([save.current.busy, save.current.doing]).toEqual([true, 'teach']);
    expect(toasts()).toEqual([]);
    await act(async () => answer.resolve({ name: 'Back', revision: 1 }));
    expect(await saved).toEqual({ name: 'Back', revision: 1 });
    expect(save.current.busy).toBe(false);
    expect(onSaved).toHaveBeenCalledExactlyOnceWith({ name: 'Back', revision: 1 });
    expect(toasts()).toEqual([['Till saved', 1800]]);
  });

  it('puts the focus on the first refused field, and on the message where no field shows it', async () => {
    const fields = [
      { field: 'code', message: 'This code is taken.' },
      { field: 'name', message: 'Enter a name.' },
    ];
    let refused = fields;
    function Form() {
      const save = useSave();
      const work = () => Promise.reject(new Problem(422, 'invalid', 'Not saved.', refused, null));
      return (
        <MantineProvider>
          <input aria-label="Name" aria-invalid={save.errorOf('name') ? true : undefined} />
          <input aria-label="Code" aria-invalid={save.errorOf('code') ? true : undefined} />
          <SaveProblem save={save} of="all" />
          <button type="button" onClick={() => void save.run(work)}>
            Save
          </button>
        </MantineProvider>
      );
    }
    render(<Form />);
    const save = screen.getByRole('button', { name: 'Save' });
    await act(async () => fireEvent.click(save));
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Name' }));
    refused = [];
    await act(async () => fireEvent.click(save));
    expect(document.activeElement).toBe(screen.getByRole('alert'));
  });

  it('sends one request at a time', async () => {
    const save = start();
    const answer = later<void>();
    const work = vi.fn(() => answer.promise);
    await act(async () => {
      const first = save.current.run(work);
      expect(await save.current.run(work)).toBeNull();
      answer.resolve();
      await first;
    });
    expect(work).toHaveBeenCalledOnce();
  });

  it('continues from the revision in the answer', async () => {
    const save = start(3);
    const work = vi.fn(async (revision: number | null) => ({
      name: '',
      revision: (revision ?? 0) + 1,
    }));
    await act(() => save.current.run(work));
    await act(() => save.current.run(work));
    expect(work.mock.calls).toEqual([[3], [4]]);
  });
});

describe('a refusal', () => {
  const wrong = new Problem(422, 'invalid', 'Check the fields.', [
    { field: 'name', message: 'Enter a name.' },
  ]);

  it('keeps its field errors until the next try, and nothing is confirmed', async () => {
    const save = start();
    const onSaved = vi.fn();
    const refused = await act(() =>
      save.current.run(() => Promise.reject(wrong), { said: 'Till saved', onSaved }),
    );
    expect(refused).toBeNull();
    expect(save.current.errorOf('name')).toBe('Enter a name.');
    expect(save.current.errorOf('tin')).toBeUndefined();
    expect([onSaved.mock.calls, toasts()]).toEqual([[], []]);
    await act(() => save.current.run(async () => undefined));
    expect(save.current.problem).toBeNull();
  });

  it('is a lasting message if the form has no place for it', async () => {
    const save = start(null, 'toast');
    await act(() => save.current.run(() => Promise.reject(wrong)));
    expect(save.current.problem).toBeNull();
    expect(toasts()).toEqual([['Check the fields.', false]]);
  });

  it('is not shown if the screen handles it, or re-authentication was cancelled', async () => {
    const save = start();
    await act(() => save.current.run(() => Promise.reject(wrong), { refused: () => true }));
    expect(save.current.problem).toBeNull();
    const cancelled = new Problem(403, 'reauthenticate', 'Confirm that it is you.');
    await act(() => save.current.run(() => Promise.reject(cancelled)));
    expect(save.current.problem).toBeNull();
  });
});

describe('a stale revision', () => {
  it('sends the revision that was shown with the next try', async () => {
    const save = start(3);
    const work = vi.fn<(revision: number | null) => Promise<Till>>().mockRejectedValue(stale);
    await act(() => save.current.run(work));
    expect(save.current.theirs).toEqual({ name: 'Front', revision: 5 });
    await act(() => save.current.run(work));
    expect(work.mock.calls).toEqual([[3], [5]]);
    act(() => save.current.start(9));
    expect(save.current.problem).toBeNull();
    await act(() => save.current.run(work));
    expect(work).toHaveBeenLastCalledWith(9);
  });

  it('reloads the record if the refusal does not include it', async () => {
    const reload = vi.fn(async () => ({ name: 'Side', revision: 7 }));
    const save = renderHook(() => useSave<Till>({ revision: 3, reload })).result;
    const work = vi.fn<(revision: number | null) => Promise<Till>>().mockRejectedValue(stale);
    await act(() => save.current.run(work));
    expect(save.current.theirs).toEqual({ name: 'Side', revision: 7 });
    reload.mockRejectedValue(new Problem(0, 'offline', 'Network error.'));
    await act(() => save.current.run(work));
    expect(save.current.theirs).toBeNull();
    expect(work.mock.calls).toEqual([[3], [7]]);
  });

  const show = (save: Pick<Save<Till>, 'problem' | 'theirs'>, onTheirs = vi.fn()) => {
    render(
      <MantineProvider>
        <SaveProblem
          save={save}
          versions={(theirs) => compare({ name: 'Name' }, { name: 'Back' }, { name: theirs.name })}
          onTheirs={onTheirs}
        />
      </MantineProvider>,
    );
    return onTheirs;
  };

  it('shows the saved version, and can take it', () => {
    const theirs = { name: 'Front', revision: 5 };
    const onTheirs = show({ problem: stale, theirs });
    expect(screen.getByRole('alert').textContent).toMatch(
      /changed by Ana\. What you typed is kept/,
    );
    expect(screen.getByRole('row', { name: 'Name Back Front' })).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Take what is saved now' }));
    expect(onTheirs).toHaveBeenCalledExactlyOnceWith(theirs);
  });

  it('is ignored if another refusal has field errors', () => {
    const problem = new Problem(422, 'invalid', 'Check it.', [{ field: 'name', message: 'No.' }]);
    show({ problem, theirs: null });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('two versions', () => {
  it('are compared field by field, as texts', () => {
    const labels = { days: 'Days', off: 'Holidays', note: 'Note', same: 'Same' };
    const mine = { days: [1, 3], off: true, note: '', same: 2, other: 1 };
    const theirs = { days: [], off: false, note: 'x', same: 2, other: 2 };
    expect(compare(labels, mine, theirs)).toEqual([
      { label: 'Days', mine: '1, 3', theirs: '–' },
      { label: 'Holidays', mine: 'Yes', theirs: 'No' },
      { label: 'Note', mine: '–', theirs: 'x' },
    ]);
  });
});
