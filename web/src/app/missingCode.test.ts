import { describe, expect, it } from 'vitest';
import { isMissingCode } from './missingCode';

describe('code that could not be fetched', () => {
  it.each([
    ['a module', new TypeError('Failed to fetch dynamically imported module'), true],
    ['its styles', new Error('Unable to preload CSS for /assets/web-D4GbLP_Y.css'), true],
    ['an error of the screen', new Error('boom'), false],
    ['something else', 'Unable to preload CSS', false],
  ])('%s', (_, error, missing) => {
    expect(isMissingCode(error)).toBe(missing);
  });
});
