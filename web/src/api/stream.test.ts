import { describe, expect, it } from 'vitest';
import { backOff, MessageParser } from './stream';

describe('back-off', () => {
  it('doubles from one second to thirty', () => {
    const longest = [0, 1, 2, 3, 4, 5, 6, 50].map((failures) => backOff(failures, 1));
    expect(longest).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  });

  it('spreads retries over half of the delay', () => {
    expect(backOff(2, 0)).toBe(2000);
    expect(backOff(2, 0.5)).toBe(3000);
    for (let i = 0; i < 100; i++) {
      const wait = backOff(9);
      expect(wait).toBeGreaterThanOrEqual(15_000);
      expect(wait).toBeLessThanOrEqual(30_000);
    }
  });
});

describe('messages', () => {
  it('are assembled from chunks of any size', () => {
    const text = ': hello\n\nid: 7\nevent: rights\ndata: {}\n\ndata: {"kind":\ndata: "uom"}\n\n';
    for (const size of [1, 2, 3, 7, 1000]) {
      const messages = new MessageParser();
      const found = [];
      for (let at = 0; at < text.length; at += size) {
        found.push(...messages.take(text.slice(at, at + size)));
      }
      expect(found).toEqual([
        { id: '7', event: 'rights', data: '{}' },
        // A message without an id keeps the last one.
        { id: '7', event: 'message', data: '{"kind":\n"uom"}' },
      ]);
    }
  });

  it('may end lines with CRLF', () => {
    expect(new MessageParser().take('id:3\r\ndata:x\r\n\r\n')).toEqual([
      { id: '3', event: 'message', data: 'x' },
    ]);
  });
});
