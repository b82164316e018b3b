// A device's clock may be wrong. With what it shows when a body is sent, the server corrects the times in that body.

/** The members of a body that say when goods moved. */
const TIMES = ['happenedAt', 'receivedAt'] as const;

/** A body with a time gets `sentAt`, what this device's clock shows; to be called with every try to send it. */
export function withClock<B extends object>(body: B, shows = new Date()): B & { sentAt?: string } {
  const timed = TIMES.some((name) => typeof Reflect.get(body, name) === 'string');
  return timed ? { ...body, sentAt: shows.toISOString() } : body;
}

/** As `withClock`, for a body that waited on the device: if the clock was set back since, it moved just now. */
export function withClockOf<B extends object>(
  body: B,
  shows = new Date(),
): B & { sentAt?: string } {
  const times = TIMES.map((name) => Date.parse(String(Reflect.get(body, name))));
  const latest = Math.max(shows.getTime(), ...times.filter((at) => !Number.isNaN(at)));
  return withClock(body, new Date(latest));
}
