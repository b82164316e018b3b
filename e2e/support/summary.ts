// Failed tests and those that passed on a retry, in short, at the end of the run. Skipped ones go into the file that
// scripts/test-summary shows at the end of `make test`.

import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

const TARGET = process.env.CARGO_TARGET_DIR ?? resolve(import.meta.dirname, '../../target');
const SKIPPED = process.env.TEST_SKIPPED ?? resolve(TARGET, 'skipped-tests.txt');
const CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

export default class Summary implements Reporter {
  #folder = '';
  #tests: TestCase[] = [];

  onBegin(config: FullConfig, suite: Suite): void {
    this.#folder = config.rootDir;
    this.#tests = suite.allTests();
  }

  onEnd(): void {
    const print = (heading: string, outcome: 'unexpected' | 'flaky') => {
      const lines = this.#tests.filter((test) => test.outcome() === outcome).map((test) => this.#told(test));
      if (lines.length > 0) console.log(`\n${heading}:\n${lines.join('\n')}`);
    };
    print('Failed', 'unexpected');
    // Counted as passed, but not to be overlooked: a race in the product looks like this, too.
    print('Unsteady (passed on another try)', 'flaky');
    const skipped = this.#tests.filter((test) => test.outcome() === 'skipped').map((test) => this.#skipped(test));
    if (skipped.length === 0) return;
    console.log(`\nDid not run:\n${skipped.map((line) => `  ${line}`).join('\n')}`);
    mkdirSync(dirname(SKIPPED), { recursive: true });
    appendFileSync(SKIPPED, skipped.map((line) => `e2e/${line}\n`).join(''));
  }

  #skipped({ location, title, annotations }: TestCase): string {
    const why = annotations.find(({ type }) => type === 'skip' || type === 'fixme')?.description;
    return `${relative(this.#folder, location.file)}:${location.line} ${title}: ${why ?? 'a test before it failed, or the run was cut short'}`;
  }

  /** A test's location, its first error, and the recording of the retry. */
  #told({ location, title, results }: TestCase): string {
    const first = results.find(({ errors }) => errors.length > 0);
    const said = (first?.errors ?? []).map(({ message }) => (message ?? '').replace(CODES, '').split('\n').slice(0, 12).join('\n      '));
    const where = `${relative(this.#folder, location.file)}:${location.line}: ${title}`;
    return [`  ${where}`, ...said.map((one) => `      ${one}`), ...traces(results).map((path) => `      npx playwright show-trace ${relative(this.#folder, path)}`)].join('\n');
  }
}

const traces = (results: readonly TestResult[]) =>
  results.flatMap(({ attachments }) => attachments.flatMap(({ name, path }) => (name === 'trace' && path ? [path] : [])));
