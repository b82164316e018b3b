import { expect, it } from 'vitest';
import { paperRule } from './usePaperTitle';

it('writes any title as one string of the style', () => {
  expect(paperRule('Store inventory, Cubao Ñ')).toContain('content: "Store inventory, Cubao Ñ";');
  expect(paperRule('A "B" \\ C\n')).toContain('content: "A \\22 B\\22  \\5c  C\\a ";');
});
