// The tests' clock: it starts at a fixed instant and runs on.

/** A Tuesday morning in the stores' zone; the Rust tests start at the same instant. */
const START = '2026-11-24T10:20:00+08:00';

/** How far the tests' clock is ahead of the machine's, in milliseconds. `start` (RFC 3339) sets another instant. */
export function shiftTo(start = START): number {
  const shift = Date.parse(start) - Date.now();
  if (Number.isNaN(shift)) throw new Error(`TEST_CLOCK must be RFC 3339, not ${start}`);
  return shift;
}

/** Sets `Date` forward by `ms`, once. It also runs in pages as serialized text, and so uses nothing outside itself. */
export function shiftDate(ms: number): void {
  const Real = globalThis.Date as DateConstructor & { shifted?: boolean };
  if (Real.shifted) return;
  // Writable, so that a test can install another clock over it.
  const machine = Real.now.bind(Real);
  Real.now = () => machine() + ms;
  Real.shifted = true;
  const shifted: DateConstructor = new Proxy(Real, {
    construct: (target, args, made) =>
      Reflect.construct(
        target,
        args.length === 0 ? [Real.now()] : args,
        made === shifted ? target : made,
      ),
    apply: () => new Real(Real.now()).toString(),
  });
  globalThis.Date = shifted;
}
