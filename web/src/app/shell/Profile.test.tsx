import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { mailOwnReset } from '#/api/account';
import { Problem } from '#/api/problem';
import { ResetPassword } from './Profile';

vi.mock('#/api/account', () => ({ mailOwnReset: vi.fn() }));

const show = (email: string) =>
  render(
    <MantineProvider>
      <ResetPassword email={email} />
    </MantineProvider>,
  );
const button = () => screen.getByRole<HTMLButtonElement>('button');

describe('the password reset', () => {
  it('goes from idle to sending to sent', async () => {
    let answer = () => {};
    vi.mocked(mailOwnReset).mockReturnValue(
      new Promise((done) => {
        answer = () => done({ email: 'a' });
      }),
    );
    show('ana@larder.example');
    expect(button().textContent).toBe('Reset password');
    fireEvent.click(button());
    expect(button().textContent).toBe('Sending reset email…');
    expect(button().disabled).toBe(true);
    answer();
    await screen.findByText('Reset email sent');
    expect(button().disabled).toBe(false);
  });

  it('needs an address', () => {
    show('');
    expect(button().disabled).toBe(true);
  });

  it.each([
    [new Error('The server is busy.'), 'The server is busy.'],
    [new Error(''), 'Failed to send reset email'],
    [undefined, 'Failed to send reset email'],
    [Problem.offline(), 'Failed to send reset email'],
    [Problem.unreadable(200), 'Failed to send reset email'],
  ])('says why it failed: %s', async (error, shown) => {
    vi.mocked(mailOwnReset).mockRejectedValue(error);
    show('ana@larder.example');
    fireEvent.click(button());
    expect((await screen.findByRole('alert')).textContent).toBe(shown);
    expect(button().textContent).toBe('Reset password');
  });
});
