import { describe, expect, it } from 'vitest';
import { markMatches, matcherOf, searchWordsOf } from './match';

const score = (typed: string, name: string, rest = '') =>
  matcherOf(typed)?.(searchWordsOf(name, rest)) ?? null;

describe('matching typed words', () => {
  // The same words as in the test of search/score.rs.
  it.each(['pandesal', 'pandsal', 'pandseal', 'pamdesal', 'pandesall', 'PANDE', 'desal'])(
    'forgives %s',
    (typed) => {
      expect(score(typed, 'Pandesal, whole wheat')).not.toBeNull();
    },
  );

  it('forgives one typo in a short word of several', () => {
    expect(score('weekly rot item', 'Weekly root item sales')).not.toBeNull();
    expect(score('weekly cot item', 'Weekly root item sales')).toBeNull();
    expect(score('rot', 'Root items')).toBeNull();
  });

  it.each(['pancit', 'xyz', 'pandesal rye', '', ' - '])('does not match %s', (typed) => {
    expect(score(typed, 'Pandesal, whole wheat')).toBeNull();
  });

  it('scores as the server does', () => {
    expect(score('salt', 'Salt')).toBe(3000);
    expect(score('salt', 'Salted egg')).toBe(1330);
    expect(score('salt', 'Sea salt')).toBe(1000);
    expect(score('salt', 'Unsalted butter')).toBe(500);
    expect(score('salt', 'Slat board')).toBe(320);
    expect(score('upload', 'Import data', 'upload csv')).toBe(600);
    expect(score('units of', 'Units of measure')).toBe(1500);
  });

  it('ignores accents', () => {
    expect(score('Paranaque', 'Parañaque South')).not.toBeNull();
  });

  it('marks the matching parts', () => {
    const hits = (title: string, typed: string) =>
      markMatches(title, typed)
        .filter(({ hit }) => hit)
        .map(({ text }) => text);
    expect(hits('Units of measure', 'units of')).toEqual(['Units', 'of']);
    expect(hits('Jalapeño sauce', 'jalapen')).toEqual(['Jalapeñ']);
    expect(hits('Butter', 'u')).toEqual([]);
    expect(markMatches('Rice', '')).toEqual([{ text: 'Rice', hit: false }]);
  });
});
