import { expect, test } from 'vitest';
import { proposal } from './proposal';

const till = (terminalId: string, min: string | null, storeId = 'a') => ({
  storeId,
  terminalId,
  min,
});

test('the till with the machine number of the picture', () => {
  const tills = [till('01', null), till('02', '175'), till('03', '175', 'b')];
  expect(proposal(tills, 'a', '175').terminalId).toBe('02');
});

test('else a till whose machine number nobody knows', () => {
  expect(proposal([till('01', '9'), till('EXP', null)], 'a', '175').terminalId).toBe('EXP');
});

test('else a new till with the next free number', () => {
  expect(proposal([till('01', '9'), till('03', '8'), till('02', null, 'b')], 'a', '175')).toEqual({
    terminalId: '02',
    hint: 'A till that is new here. Give it its name.',
  });
  expect(proposal([], 'a', '').terminalId).toBe('01');
});
