// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { StateBar } from './StateBar';
import { type TransferHead, transferDef } from './transfers';
import { wasteDef } from './waste';

const step = vi.hoisted(() => vi.fn());
vi.mock('#/api/client', async (original) => ({
  ...(await original<typeof import('#/api/client')>()),
  requestAt: step,
}));

afterEach(() => {
  step.mockReset();
  queries.clear();
  notifications.clean();
});

const transfer = { id: 't1', revision: 3, can: ['dispatch'] } as unknown as TransferHead;

const def = { ...transferDef, steps: { dispatch: { label: 'Send transfer', done: 'Sent' } } };

const words = 'Larder expects 1.5 kg here. Send 5 pack anyway?';
const lines = [
  {
    field: 'lines.0.picked',
    name: 'Butter',
    asked: 5,
    askedUnit: 'pack',
    expected: 1.5,
    unit: 'kg',
  },
  {
    ...{ field: 'lines.2.lot', name: 'Ham', asked: 3, askedUnit: 'pc', expected: 2, unit: 'pc' },
    lot: 'H-7',
  },
];
const question = (said: object = { lines }) =>
  new Problem(409, 'moreThanExpected', words, [], null, { expected: 1.5, unit: 'kg', ...said });

function draw(onTaken = vi.fn()) {
  render(
    <QueryClientProvider client={queries}>
      <MantineProvider env="test">
        <StateBar def={def} document={transfer} onTaken={onTaken} />
      </MantineProvider>
    </QueryClientProvider>,
  );
  const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
  const send = 'Send transfer';
  const reason = () => screen.getByLabelText<HTMLTextAreaElement>(/Reason/);
  const say = (text: string) => fireEvent.change(reason(), { target: { value: text } });
  return { press, send, reason, say, onTaken };
}

const cells = () => screen.getAllByRole('row').map((row) => row.textContent);
const bodies = () => step.mock.calls.map(([, , { json }]) => json);

describe('a step that takes more than is expected', () => {
  it('asks with every line, wants a reason, and is taken with both', async () => {
    const { press, send, say, onTaken } = draw();
    step.mockRejectedValueOnce(question());
    press(send);
    await screen.findByText('More than expected here');
    expect(cells()).toEqual([
      'ItemAskedExpected',
      'Butter5 pack1.5 kg',
      'HamLot H-73 pcAt most 2 pc',
    ]);
    press('Send anyway');
    expect(screen.getByText('Say why there is more than expected.')).toBeTruthy();
    expect(step).toHaveBeenCalledOnce();
    say('  A box was in the freezer ');
    step.mockResolvedValueOnce({ ...transfer, revision: 4, transferNo: 'TR-1' });
    press('Send anyway');
    await waitFor(() => expect(onTaken).toHaveBeenCalledOnce());
    expect(bodies()).toEqual([
      { revision: 3 },
      { revision: 3, anyway: true, reason: 'A box was in the freezer' },
    ]);
    expect(screen.queryByText('More than expected here')).toBeNull();
  });

  it('asks what becomes of a recalled lot that comes in', async () => {
    const { press, send, say, onTaken } = draw();
    const asked = 'Lot L-1 of Rolls is recalled. Reject it, or take it in and put it aside?';
    const fields = [{ field: 'lines.0.received', message: asked }];
    step.mockRejectedValueOnce(new Problem(409, 'recalledArrives', asked, fields));
    press(send);
    await screen.findByText('A recalled lot');
    expect(screen.getByText(asked)).toBeTruthy();
    press('Take it in');
    expect(screen.getByText('Say what becomes of the recalled lot.')).toBeTruthy();
    say('In the cage');
    step.mockResolvedValueOnce({ ...transfer, revision: 4, transferNo: 'TR-1' });
    press('Take it in');
    await waitFor(() => expect(onTaken).toHaveBeenCalledOnce());
    expect(bodies()[1]).toEqual({ revision: 3, anyway: true, reason: 'In the cage' });
  });

  it('keeps the reason over «Go back»', async () => {
    const { press, send, reason, say } = draw();
    step.mockRejectedValue(question());
    press(send);
    await screen.findByText('More than expected here');
    say('Found it');
    press('Go back');
    await waitFor(() => expect(screen.queryByText('More than expected here')).toBeNull());
    press(send);
    await screen.findByText('More than expected here');
    expect(reason().value).toBe('Found it');
  });

  it('stays with its reason when the answer does not get through', async () => {
    const { press, send, reason, say } = draw();
    step.mockRejectedValueOnce(question());
    press(send);
    await screen.findByText('More than expected here');
    say('Found it');
    step.mockRejectedValueOnce(Problem.offline());
    press('Send anyway');
    expect((await screen.findByRole('alert')).textContent).toBe(Problem.offline().message);
    expect(reason().value).toBe('Found it');
  });

  it('keeps its answer when another check then needs an override', async () => {
    const { press, send, say } = draw();
    step.mockRejectedValueOnce(question());
    press(send);
    await screen.findByText('More than expected here');
    say('Found it');
    step.mockRejectedValueOnce(new Problem(409, 'backdated', 'That day is too long ago.'));
    press('Send anyway');
    await screen.findByText('That day is too long ago.');
    step.mockResolvedValueOnce({ ...transfer, revision: 4, transferNo: 'TR-1' });
    press('Do it all the same');
    await waitFor(() => expect(step).toHaveBeenCalledTimes(3));
    expect(bodies()[2]).toEqual({
      revision: 3,
      anyway: true,
      override: true,
      reason: 'Found it',
    });
  });

  it('is one sentence where the server lists no lines', async () => {
    const { press, send } = draw();
    step.mockRejectedValueOnce(question({}));
    press(send);
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it('names what the step does', () => {
    expect(wasteDef.anyway).toBe('Throw away anyway');
  });
});
