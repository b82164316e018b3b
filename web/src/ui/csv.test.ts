import { expect, it } from 'vitest';
import { csvOf } from './csv';

it('writes cells that spreadsheets open safely', () => {
  const table = [
    ['Net, sales', '1,234.50', 'say "hi"'],
    ['=1+1', '-5.00', ''],
  ];
  expect(csvOf(table, ',')).toBe('"Net, sales","1,234.50","say ""hi"""\r\n\'=1+1,-5.00,');
  expect(csvOf([['-5', '-', '-5+A1', '+63 2', '-.', 'a;b']])).toBe(
    "-5,'-,'-5+A1,'+63 2,'-.,\"a;b\"",
  );
  expect(csvOf([['a\tb', '@x']], '\t')).toBe("a b\t'@x");
});
