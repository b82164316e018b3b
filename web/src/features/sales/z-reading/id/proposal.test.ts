import { expect, test } from 'vitest';
import { proposal } from './proposal';

const till = (terminalId: string, min: string | null, storeId = 'a') => ({
  storeId,
  terminalId,
  min,
});
const of = (tills: Parameters<typeof proposal>[0], min: string) =>
  proposal(tills, 'a', min).terminalId;

test("proposes the till with the picture's machine number", () => {
  const tills = [till('01', null), till('02', '17512'), till('03', '17512', 'b')];
  expect(of(tills, '17512')).toBe('02');
});

test('proposes no new till for a possibly misread digit', () => {
  const tills = [till('01', '17512'), till('02', '99999'), till('03', null)];
  expect(proposal(tills, 'a', '17572')).toEqual({
    terminalId: '01',
    hint: 'Till 01 has nearly this MIN: compare it with the picture.',
  });
  expect(of([till('01', '17512'), till('02', '17513')], '17514')).toBe('');
});

test('proposes the one till without a machine number, and none of several', () => {
  expect(of([till('01', '99999'), till('EXP', null)], '17512')).toBe('EXP');
  expect(proposal([till('01', null), till('02', null)], 'a', '17512')).toEqual({
    terminalId: '',
    hint: 'The MIN of till 01 or 02 is not known yet. Which till is it?',
  });
});

test('proposes no new till without a machine number, if there are tills', () => {
  expect(of([till('01', '99999')], '')).toBe('01');
  expect(of([till('01', '99999'), till('02', null)], '')).toBe('');
});

test('otherwise proposes a new till with the next free number', () => {
  const tills = [till('01', '99999'), till('03', '88888'), till('02', null, 'b')];
  expect(proposal(tills, 'a', '17512')).toEqual({
    terminalId: '02',
    hint: 'A till that is new here. Give it its name.',
  });
  expect(of([], '')).toBe('01');
});
