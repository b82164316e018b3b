import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import type { Answers, Ask, ExistingDay } from '../types';
import { Existing } from './Existing';
import { Questions } from './Questions';

const ask = (id: string, about: string, labels: readonly string[]): Ask => ({
  id,
  about,
  rows: 0,
  choices: labels.map((label, i) => ({
    id: label.toLowerCase(),
    label,
    set: {},
    lines: 4 - i,
    qty: 7 - i,
    net: 100 - i * 40,
  })),
});
const ASKS = [
  ask('word', 'What does «Preparing» mean?', ['Out', 'Counts']),
  ask('totals', 'Are such rows sales?', ['No', 'Yes']),
];

function start(given: Answers = {}, attention?: number) {
  const onContinue = vi.fn();
  const onAnswer = vi.fn();
  function Page({ at }: { at?: number }) {
    const [answers, setAnswers] = useState(given);
    return (
      <MantineProvider>
        <Questions
          asks={ASKS}
          answers={answers}
          attention={at}
          onAnswer={(of, choice) => {
            onAnswer(of.id, choice.id);
            setAnswers({ ...answers, [of.id]: choice.id });
          }}
          onContinue={onContinue}
        />
      </MantineProvider>
    );
  }
  const { rerender } = render(<Page at={attention} />);
  return { onContinue, onAnswer, attend: (at: number) => rerender(<Page at={at} />) };
}

const radio = (name: RegExp) => screen.getByRole('radio', { name });
const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const checked = () =>
  screen.getAllByRole('radio').map((one) => one.getAttribute('aria-checked') === 'true');

describe('the screen of questions', () => {
  it('suggests the first choice without answering, with the difference of the others', () => {
    start();
    expect(checked()).toEqual([false, false, false, false]);
    expect(radio(/Out/).textContent).toContain('Suggested');
    expect(radio(/Out/).textContent).toContain('4 lines7 pieces₱100.00 net');
    expect(radio(/Counts/).textContent).toContain(
      '3 lines, difference −16 pieces, difference −1₱60.00 net, difference −₱40.00',
    );
  });

  it('is answered by number keys, and Enter goes on and then continues', () => {
    const { onContinue, onAnswer } = start();
    radio(/Out/).focus();
    press('3');
    expect(onAnswer).not.toHaveBeenCalled();
    press('2');
    expect(document.activeElement).toBe(radio(/Counts/));
    press('Enter');
    expect(document.activeElement).toBe(radio(/No/));
    press('Enter');
    expect(onContinue).not.toHaveBeenCalled();
    press('ArrowDown');
    expect(checked()).toEqual([false, true, false, true]);
    press('Enter');
    expect(onContinue).toHaveBeenCalledOnce();
  });

  it('shows the days that a choice moves sales between, of several stores with their names', () => {
    const days = [
      { day: '2026-11-13', qty: 7, net: 1200 },
      { store: 'North', day: '2026-11-14', qty: 1, net: 0 },
    ];
    const late = ask('dayStart', 'Does its day end then?', ['Yes', 'No']);
    const choices = late.choices.map((choice) => ({ ...choice, days }));
    render(
      <MantineProvider>
        <Questions
          asks={[{ ...late, choices }]}
          answers={{}}
          onAnswer={vi.fn()}
          onContinue={vi.fn()}
        />
      </MantineProvider>,
    );
    expect(radio(/Yes/).textContent).toContain(
      '13 Nov ₱1,200.00 (7 pieces)North, 14 Nov ₱0.00 (1 piece)',
    );
    expect(screen.getAllByRole('radio')[1]?.textContent).not.toContain('lines');
  });

  it('moves to the first open question when posting was refused', () => {
    const { attend } = start({ word: 'out' }, 0);
    attend(1);
    expect(document.activeElement).toBe(radio(/No/));
  });
});

describe('a second file of a store-day', () => {
  const days: ExistingDay[] = [
    {
      storeId: 's1',
      storeName: 'Larkspur Mall',
      day: '2026-11-15',
      there: { files: ['till1.csv'], tills: ['T1'], receipts: 2, qty: 3, net: 360 },
      comes: { tills: [], receipts: 1, qty: 3, net: 450 },
      overlap: { receipts: 0, qty: 0, net: 0 },
      choices: [
        { id: 'add', qty: 6, net: 810 },
        { id: 'replaceDays', qty: 3, net: 450 },
      ],
    },
  ];

  it('posts with the choice, which shows the sums before and after', () => {
    const onChoose = vi.fn();
    render(
      <MantineProvider>
        <Existing days={days} total={13} busy={false} onChoose={onChoose} onClose={vi.fn()} />
      </MantineProvider>,
    );
    expect(screen.getByText('Already imported; replace?')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Post sales' })).toHaveProperty('disabled', true);
    expect(radio(/^Add/).textContent).toContain(
      'Afterwards ₱810.00 (6 pieces), difference +₱450.00',
    );
    expect(screen.getByText('till1.csv · till T1 · 2 receipts · ₱360.00 (3 pieces)')).toBeTruthy();
    expect(screen.getByText('and 12 more')).toBeTruthy();
    radio(/^Add/).focus();
    press('Enter');
    expect(onChoose).not.toHaveBeenCalled();
    press('2');
    press('Enter');
    expect(onChoose).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: 'Replace and post' }));
    expect(onChoose).toHaveBeenCalledExactlyOnceWith('replaceDays');
  });
});
