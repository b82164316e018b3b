import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { useScanner } from './useScanner';

/** Types keys with a pause between them, in milliseconds; inputs get them as in a browser. */
function type(at: Element, text: string, pause: number, from = 1000): void {
  let now = from;
  const key = (name: string) => {
    const event = new KeyboardEvent('keydown', { key: name, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: now });
    act(() => void at.dispatchEvent(event));
    now += pause;
    return event;
  };
  for (const letter of text) {
    key(letter);
    if (at instanceof HTMLInputElement) {
      fireEvent.change(at, { target: { value: at.value + letter } });
    }
  }
  key('Enter');
}

function Page({ onScan, onEnter }: { onScan(code: string): void; onEnter(): void }) {
  useScanner(onScan);
  const [text, setText] = useState('12');
  return (
    <input
      aria-label="Quantity"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && onEnter()}
    />
  );
}

function open() {
  const [scanned, entered] = [vi.fn(), vi.fn()];
  render(<Page onScan={scanned} onEnter={entered} />);
  return { scanned, entered, field: screen.getByLabelText<HTMLInputElement>('Quantity') };
}

describe('a scanner', () => {
  it('is read anywhere, and leaves the field as it was', () => {
    const { scanned, entered, field } = open();
    type(document.body, '4800012345678', 8);
    type(field, '14800012345675', 20, 5000);
    expect(scanned.mock.calls).toEqual([['4800012345678'], ['14800012345675']]);
    expect(field.value).toBe('12');
    expect(entered, 'its Enter is not the field’s').not.toHaveBeenCalled();
  });

  it('is not a person who types: slow, short, or without a digit', () => {
    const { scanned, entered, field } = open();
    type(field, '1234567', 140);
    type(field, '240', 8, 20_000);
    type(field, 'tomato', 8, 30_000);
    expect(scanned).not.toHaveBeenCalled();
    expect(entered).toHaveBeenCalledTimes(3);
    expect(field.value).toBe('121234567240tomato');
  });
});
