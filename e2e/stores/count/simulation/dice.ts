// Random numbers that follow from a seed: the same seed plays the same story.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (Math.imul(seed, 0x9e3779b1) ^ 0x5851f42d) >>> 0;
  }

  /** 32 random bits (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** From `from` up to, but excluding, `to`. */
  between(from: number, to: number): number {
    return from + (this.next() % (to - from));
  }

  /** True with the given probability in percent. */
  chance(percent: number): boolean {
    return this.next() % 100 < percent;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.next() % choices.length] as T;
  }

  /** One of the choices, each as often as its weight says. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const all = Object.entries(weights) as [T, number][];
    let left = this.next() % all.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of all) {
      left -= weight;
      if (left < 0) return choice;
    }
    throw new Error('no choice has a weight');
  }
}
