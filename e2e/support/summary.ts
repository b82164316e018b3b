// What failed, once more and in few words, as the last thing the run prints.

import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const CODES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');

export default class Summary implements Reporter {
  readonly #faults: string[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    if (result.status === test.expectedStatus || result.status === 'skipped') return;
    const said = result.errors.map(({ message }) => (message ?? '').replace(CODES, '').split('\n').slice(0, 12).join('\n      '));
    this.#faults.push(`  ${test.location.file}: ${test.title}\n      ${said.join('\n      ')}`);
  }

  onEnd(): void {
    if (this.#faults.length > 0) console.log(`\nFailed:\n${this.#faults.join('\n')}`);
  }
}
