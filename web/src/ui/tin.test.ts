import { expect, test } from 'vitest';
import { tinText } from './tin';

test.each([
  ['91193229500064', '911-932-295-00064'],
  ['911932295', '911-932-295'],
  ['911932295000', '911-932-295-000'],
  [' 911 932 295 00064 ', '911-932-295-00064'],
  ['911-932-295-00064', '911-932-295-00064'],
])('a TIN typed as «%s» is shown as %s', (typed, shown) => {
  expect(tinText(typed)).toBe(shown);
});

test.each(['', '911-932', '9119322950', 'GB 123456789', '911-932-295 VAT'])(
  '«%s» stays as typed',
  (typed) => {
    expect(tinText(typed)).toBe(typed);
  },
);
