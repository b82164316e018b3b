// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { NumberFields } from './NumberFields';
import { numberField } from './numberField';
import type { NumberKind } from './numberInput';

const outer = vi.fn();

function Fields({ kinds, unit }: { kinds: readonly NumberKind[]; unit?: string }) {
  const [texts, setTexts] = useState<readonly string[]>(kinds.map(() => ''));
  return (
    <form onKeyDown={outer}>
      {kinds.map((kind, at) => (
        <input
          key={kind}
          aria-label={kind}
          {...numberField(kind, unit)}
          value={texts[at]}
          onChange={(event) => {
            const { value } = event.currentTarget;
            setTexts((now) => now.map((text, i) => (i === at ? value : text)));
          }}
        />
      ))}
    </form>
  );
}

function draw(kinds: readonly NumberKind[], unit?: string) {
  outer.mockClear();
  render(
    <>
      <NumberFields />
      <Fields kinds={kinds} {...(unit && { unit })} />
    </>,
  );
  const field = (kind: NumberKind) => screen.getByLabelText<HTMLInputElement>(kind);
  const type = (kind: NumberKind, text: string) => {
    act(() => field(kind).focus());
    fireEvent.change(field(kind), { target: { value: text } });
  };
  const leave = (kind: NumberKind) => act(() => field(kind).blur());
  return { field, type, leave };
}

describe('a number field', () => {
  it('shows what was understood when it is left, and the same when it is left again', () => {
    const { field, type, leave } = draw(['money', 'whole', 'factor', 'percent']);
    for (const [kind, text, shown] of [
      ['money', '100,000', '100,000.00'],
      ['whole', '2*3+1', '7'],
      ['factor', '1,250', '1.25'],
      ['percent', '12,5%', '12.5'],
    ] as const) {
      type(kind, text);
      expect(field(kind).value).toBe(text);
      leave(kind);
      expect(field(kind).value).toBe(shown);
      act(() => field(kind).focus());
      leave(kind);
      expect(field(kind).value).toBe(shown);
    }
  });

  it('keeps what it does not understand', () => {
    const { field, type, leave } = draw(['money']);
    type('money', '12 pcs');
    leave('money');
    expect(field('money').value).toBe('12 pcs');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each(['Tab', 'Enter'])('asks which number is meant before %s leaves it', (key) => {
    const { field, type } = draw(['divisible'], 'kg');
    type('divisible', '1,250');
    fireEvent.keyDown(field('divisible'), { key });
    expect(outer).not.toHaveBeenCalled();
    expect(screen.getByRole('dialog').getAttribute('aria-label')).toBe('1,250 kg or 1.25 kg?');
    const [thousand, one] = screen.getAllByRole('button');
    expect(document.activeElement).toBe(thousand);
    expect(field('divisible').value).toBe('1,250');
    fireEvent.keyDown(thousand as Element, { key: 'ArrowRight' });
    expect(document.activeElement).toBe(one);
    fireEvent.click(one as Element);
    expect(field('divisible').value).toBe('1.25');
    expect(document.activeElement).toBe(field('divisible'));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.keyDown(field('divisible'), { key });
    expect(outer).toHaveBeenCalled();
  });

  it('asks beside the field when the pointer leaves it, and again when it comes back', () => {
    const { field, type, leave } = draw(['divisible', 'money'], 'kg');
    type('divisible', '1,250');
    act(() => field('money').focus());
    expect(field('divisible').value).toBe('1,250');
    expect(screen.getByRole('dialog')).toBeTruthy();
    act(() => field('divisible').focus());
    expect(screen.getByRole('dialog')).toBeTruthy();
    fireEvent.keyDown(screen.getAllByRole('button')[0] as Element, { key: 'Escape' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(field('divisible').value).toBe('1,250');
    leave('divisible');
    act(() => field('divisible').focus());
    fireEvent.click(screen.getByRole('button', { name: '1,250 kg' }));
    expect(field('divisible').value).toBe('1,250.0');
  });

  it('has operator keys if the keypad has none', () => {
    const media = vi.spyOn(window, 'matchMedia').mockImplementation(
      (query) =>
        ({
          matches: true,
          media: query,
          addEventListener() {},
          removeEventListener() {},
        }) as never,
    );
    const { field, type, leave } = draw(['whole']);
    type('whole', '2');
    fireEvent.click(screen.getByRole('button', { name: 'Type ×' }));
    expect(field('whole').value).toBe('2×');
    fireEvent.change(field('whole'), { target: { value: '2×3' } });
    leave('whole');
    expect(field('whole').value).toBe('6');
    expect(screen.queryByRole('region')).toBeNull();
    media.mockRestore();
  });

  it('has its operator keys after the buttons of a dialog, and keeps their room when it is left', () => {
    vi.stubGlobal('matchMedia', () => ({
      matches: true,
      addEventListener: () => {},
      removeEventListener: () => {},
    }));
    render(
      <>
        <NumberFields />
        <div role="dialog" aria-label="Found">
          <Fields kinds={['money']} />
          <button type="button">Save</button>
        </div>
        <button type="button">Elsewhere</button>
      </>,
    );
    act(() => screen.getByLabelText('money').focus());
    const keys = screen.getByRole('region', { name: 'Arithmetic' });
    const save = screen.getByRole('button', { name: 'Save' });
    expect(save.compareDocumentPosition(keys)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(keys.style.visibility).toBe('');
    act(() => save.focus());
    expect(keys.isConnected).toBe(true);
    expect(keys.style.visibility).toBe('hidden');
    act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
    expect(keys.isConnected).toBe(false);
    vi.unstubAllGlobals();
  });
});
