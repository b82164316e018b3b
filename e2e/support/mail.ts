// A real SMTP server on loopback that stores its emails.

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Letter {
  from: string;
  to: string[];
  /** The whole message, with quoted-printable and base64 parts decoded. */
  text: string;
}

export class Mailbox {
  readonly letters: Letter[] = [];
  #server: SMTPServer;

  constructor(login?: { user: string; password: string }) {
    this.#server = new SMTPServer({
      authOptional: !login,
      allowInsecureAuth: true,
      disabledCommands: login ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
      onAuth: (auth, _session, done) =>
        login && auth.username === login.user && auth.password === login.password
          ? done(null, { user: login.user })
          : done(new Error('wrong user or password')),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.letters.push({
            from: mailFrom ? mailFrom.address : '',
            to: rcptTo.map(({ address }) => address),
            text: readable(Buffer.concat(parts).toString('utf8')),
          });
          done();
        });
      },
    });
  }

  async start(): Promise<string> {
    const server = await new Promise<import('node:net').Server>((done) => {
      const listening = this.#server.listen(0, '127.0.0.1', () => done(listening));
    });
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** The `count`th email to an address. */
  async letterTo(address: string, count = 1, within = 20_000): Promise<Letter> {
    for (const until = Date.now() + within; Date.now() < until; ) {
      const letter = this.letters.filter(({ to }) => to.includes(address))[count - 1];
      if (letter) return letter;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`no ${count}. letter to ${address} came`);
  }

  async stop(): Promise<void> {
    await new Promise<void>((done) => this.#server.close(done));
  }
}

/** Decodes an email, so that its text and links can be searched. */
export function readable(message: string): string {
  const parts = message.split(/\r?\n--[^\r\n]+\r?\n/);
  return parts
    .map((part) => {
      const [head = '', ...rest] = part.split(/\r?\n\r?\n/);
      const body = rest.join('\n\n');
      if (/transfer-encoding:\s*base64/i.test(head)) return `${head}\n\n${Buffer.from(body, 'base64').toString('utf8')}`;
      if (!/transfer-encoding:\s*quoted-printable/i.test(head)) return part;
      const bytes = body
        .replace(/=\r?\n/g, '')
        .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
      return `${head}\n\n${Buffer.from(bytes, 'latin1').toString('utf8')}`;
    })
    .join('\n');
}
