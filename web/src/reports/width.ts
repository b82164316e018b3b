// As wide as a digit of the footer, which is bold.
const DIGIT = 8.1;
const PADDING = 18;

/** The width of the longest formatted figure. */
export function figureWidth(
  values: readonly number[],
  write: (value: number) => string,
  least: number,
): number {
  // The longest text is nearly always an extreme or a value with many decimals.
  let [low, high, fine] = [0, 0, 0];
  let places = 0;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
    if (value % 1 === 0) continue;
    const text = String(value).length;
    if (text > places) [places, fine] = [text, value];
  }
  const longest = Math.max(...[low, high, fine].map((value) => write(value).length));
  return Math.max(least, Math.ceil(longest * DIGIT) + PADDING);
}
