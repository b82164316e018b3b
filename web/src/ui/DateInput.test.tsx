// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { DateInput } from './DateInput';

let day = '';

function Field() {
  const [value, setValue] = useState('');
  day = value;
  return <DateInput aria-label="Last day" value={value} onChange={setValue} />;
}

function type(text: string): HTMLInputElement {
  render(<Field />);
  const field = screen.getByLabelText<HTMLInputElement>('Last day');
  act(() => field.focus());
  fireEvent.change(field, { target: { value: text } });
  act(() => field.blur());
  return field;
}

describe('a date field', () => {
  it('shows what was understood when it is left', () => {
    const field = type('2026-11-24');
    expect([day, field.value]).toEqual(['2026-11-24', '24 Nov 2026']);
    expect(field.getAttribute('aria-invalid')).toBeNull();
  });

  it('does not take an invalid date for none', () => {
    const field = type('3/4/2026');
    expect([day, field.value]).toEqual(['3/4/2026', '3/4/2026']);
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });

  it('may be empty, and shows no date then', () => {
    const field = type(' ');
    expect(field.placeholder).toBe('');
    expect([day, field.value]).toEqual(['', '']);
    expect(field.getAttribute('aria-invalid')).toBeNull();
  });
});
