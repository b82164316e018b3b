// Prints what the first route and each lazy chunk weigh in brotli, and fails over the budget.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FIRST_ROUTE = 250 * 1024;
const CHUNK = 60 * 1024;

const dist = new URL('../dist/', import.meta.url).pathname;
const weigh = (name) => {
  const file = join(dist, 'assets', name);
  return statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;
};
const html = readFileSync(join(dist, 'index.html'), 'utf8');
const code = readdirSync(join(dist, 'assets')).filter((name) => /\.(js|css)$/.test(name));
const first = code.filter((name) => html.includes(name));
const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;

const total = first.reduce((sum, name) => sum + weigh(name), 0);
console.log(`first route ${kib(total)} of ${kib(FIRST_ROUTE)}`);
let failed = total > FIRST_ROUTE;
const lazy = code.filter((name) => !first.includes(name)).map((name) => [name, weigh(name)]);
for (const [name, size] of lazy.sort((a, b) => b[1] - a[1]).slice(0, 12)) {
  console.log(`${kib(size).padStart(10)}  ${name}`);
  // The chart library is shared by every report and loaded after the page itself.
  if (size > CHUNK && !name.startsWith('charts')) failed = true;
}
if (failed) {
  console.error('Over the size budget.');
  process.exit(1);
}
