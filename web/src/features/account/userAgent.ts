// Parses a user agent into a browser and a system name.

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'Chromebook'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
];

export interface UserAgent {
  name: string;
  hand: boolean;
}

export function parseUserAgent(userAgent: string): UserAgent {
  const find = (table: typeof BROWSERS) => table.find(([mark]) => mark.test(userAgent))?.[1];
  const [browser, system] = [find(BROWSERS), find(SYSTEMS)];
  const plain = userAgent.split(/[\s/]/, 1)[0] || 'Unknown device';
  return {
    name: browser && system ? `${browser} on ${system}` : (browser ?? system ?? plain),
    hand: /iPhone|iPad|Android|Mobile/.test(userAgent),
  };
}
