import { describe, expect, it } from 'vitest';
import { qrOf } from './qr';

const lines = (text: string) =>
  qrOf(text)?.map((row) => row.map((dark) => (dark ? '#' : '.')).join(''));

describe('QR codes', () => {
  // The picture was decoded with another program.
  it('draws a short text', () => {
    expect(lines('larder')).toMatchSnapshot();
  });

  it('grows with the text, and gives up where it is too long', () => {
    expect(lines('x'.repeat(14))).toHaveLength(21);
    expect(lines('x'.repeat(15))).toHaveLength(25);
    expect(lines('x'.repeat(213))).toHaveLength(57);
    expect(lines('x'.repeat(214))).toBeUndefined();
  });
});
