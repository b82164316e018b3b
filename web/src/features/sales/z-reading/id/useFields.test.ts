import { renderHook } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { TILL, useFields } from './useFields';
import type { ReviewModel } from './useReview';

/** A page with the till and these doubtful fields, opened while the till is not known. */
function opened(doubts: readonly string[]) {
  const form = document.createElement('div');
  for (const name of [TILL, ...doubts]) {
    const input = document.createElement('input');
    input.name = name;
    form.append(input);
  }
  const verify = document.createElement('button');
  document.body.append(form, verify);
  const confirmed = new Set<string>();
  const model = {
    doubts: new Map(doubts.map((name) => [name, 'unproven'])),
    confirmed,
    confirm: (name: string) => confirmed.add(name),
    problem: null,
  } as unknown as ReviewModel;
  const refs = { form: { current: form }, verify: { current: verify } };
  const hook = renderHook(
    ({ tillKnown }) => useFields({ model, mayEdit: true, tillFirst: true, tillKnown, ...refs }),
    { initialProps: { tillKnown: false } },
  );
  return { ...hook, confirmed };
}

const focused = () =>
  document.activeElement?.getAttribute('name') ?? document.activeElement?.tagName;

describe('the focus of a reading whose till becomes known', () => {
  afterEach(() => document.body.replaceChildren());

  it('goes on to the next doubtful field', () => {
    const { rerender, result } = opened(['net', 'gross']);
    expect(focused()).toBe(TILL);
    rerender({ tillKnown: true });
    expect(focused()).toBe(result.current.first[0]?.name);
    expect(result.current.doubtful).not.toContain(TILL);
  });

  it('goes on to the button that verifies if no field is doubtful', () => {
    const { rerender } = opened([]);
    rerender({ tillKnown: true });
    expect(focused()).toBe('BUTTON');
  });

  it('stays where the till is being typed', () => {
    const { rerender, confirmed } = opened(['net']);
    confirmed.add(TILL);
    rerender({ tillKnown: true });
    expect(focused()).toBe(TILL);
  });
});
