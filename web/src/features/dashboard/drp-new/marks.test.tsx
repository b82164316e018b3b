import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { CLOSE_TEXT } from '#/stock/CloseMark';
import { lineColumns } from './lineColumns';
import type { PlanLine } from './wire';

it('marks stock that hangs on an unanswered question', () => {
  const onHand = lineColumns([], false).find(({ id }) => id === 'onHand');
  const shown = (close: number) =>
    renderToStaticMarkup(
      onHand?.cell?.({ onHand: 32, close, why: [] as PlanLine['why'] } as PlanLine),
    );
  expect(shown(0)).toBe('32');
  expect(shown(2)).toContain(CLOSE_TEXT);
  expect(shown(2)).toMatch(/32$/);
});
