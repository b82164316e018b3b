// What failed and what passed only on another try, in few words, as the last thing the run prints.

import { relative } from 'node:path';
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from '@playwright/test/reporter';

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
    // Counted as passed, and not to be overlooked: a race in the product looks like this, too.
    print('Unsteady (passed on another try)', 'flaky');
  }

  /** Where a test stands, what it said when it first failed, and the recording of the try after that. */
  #told({ location, title, results }: TestCase): string {
    const first = results.find(({ errors }) => errors.length > 0);
    const said = (first?.errors ?? []).map(({ message }) => (message ?? '').replace(CODES, '').split('\n').slice(0, 12).join('\n      '));
    const where = `${relative(this.#folder, location.file)}:${location.line}: ${title}`;
    return [`  ${where}`, ...said.map((one) => `      ${one}`), ...traces(results).map((path) => `      npx playwright show-trace ${relative(this.#folder, path)}`)].join('\n');
  }
}

const traces = (results: readonly TestResult[]) =>
  results.flatMap(({ attachments }) => attachments.flatMap(({ name, path }) => (name === 'trace' && path ? [path] : [])));
