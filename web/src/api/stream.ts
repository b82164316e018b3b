// Reads server-sent events with fetch. EventSource hides the status of a refused stream and forgets the
// last event id when it is created anew.

export interface Message {
  id: string;
  event: string;
  data: string;
}

/** Splits a text/event-stream into messages. */
export class MessageParser {
  #rest = '';
  #message: Message = { id: '', event: 'message', data: '' };

  /** Takes the next piece of text; returns the messages it completes. */
  take(piece: string): Message[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    const complete: Message[] = [];
    for (const line of lines) {
      if (line === '') {
        if (this.#message.data) complete.push(this.#message);
        this.#message = { id: this.#message.id, event: 'message', data: '' };
        continue;
      }
      const [, field, value] = /^([^:]+):? ?(.*)$/.exec(line) ?? [];
      if (field === 'data') this.#message.data += (this.#message.data && '\n') + value;
      else if (field === 'event') this.#message.event = value || 'message';
      else if (field === 'id') this.#message.id = value ?? '';
    }
    return complete;
  }
}

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

/** Milliseconds to wait before the next try: doubles each time, with jitter. */
export function backOff(failures: number, chance = Math.random()): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures, 10));
  return Math.round(most * (0.5 + chance / 2));
}

export class StreamRefused extends Error {
  constructor(readonly status: number) {
    super(`refused with ${status}`);
  }
}

interface Reader {
  opened(): void;
  message(message: Message): void;
}

/** Reads the stream until it ends. */
export async function readStream(
  path: string,
  lastId: string,
  reader: Reader,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(path, {
    headers: { Accept: 'text/event-stream', ...(lastId ? { 'Last-Event-ID': lastId } : {}) },
    cache: 'no-store',
    signal,
  });
  if (!response.ok || !response.body) throw new StreamRefused(response.status);
  reader.opened();
  const messages = new MessageParser();
  const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await text.read();
    if (done) return;
    for (const message of messages.take(value)) reader.message(message);
  }
}
