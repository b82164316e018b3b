import { describe, expect, it } from 'vitest';
import { statusOf } from './QueueDrawer';

describe('the status of the device', () => {
  const none = { waiting: 0, held: 0, refused: 0, why: null };

  it('says that everything was sent only if nothing is left', () => {
    expect(statusOf(none)).toBe('Everything was sent.');
    expect(statusOf({ ...none, held: 1 })).toBe('1 document is not sent until you answer.');
    expect(statusOf({ ...none, refused: 2 })).toBe('2 documents were refused.');
  });

  it('names all that is left, and why it waits', () => {
    expect(statusOf({ waiting: 3, held: 2, refused: 1, why: 'No connection.' })).toBe(
      '3 waiting to be sent. No connection. 2 documents are not sent until you answer. 1 document was refused.',
    );
    expect(statusOf({ ...none, waiting: 1 })).toBe('1 waiting to be sent.');
  });
});
