import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notifications, notificationsStore } from '@mantine/notifications';
import { afterEach, describe, expect, it } from 'vitest';
import { done, failed, lastingError } from './toast';

afterEach(() => notifications.clean());

const shown = () => notificationsStore.getState().notifications;

describe('a toast', () => {
  it('stays 1.8 s, for success and failure', () => {
    done('Store saved');
    failed('Failed to save product');
    expect(shown().map(({ autoClose }) => autoClose)).toEqual([1800, 1800]);
  });

  it("stays 2.5 s only for an account that could not be changed, and for an import's summary", () => {
    const src = join(import.meta.dirname, '..');
    const calls = readdirSync(src, { recursive: true })
      .map(String)
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .flatMap((file) =>
        [
          ...readFileSync(join(src, file), 'utf8').matchAll(
            /\b(done|failed)\((?=[^;]*, (ACCOUNT_TOAST_MS|SUMMARY_MS|2500),?\s*\);)/g,
          ),
        ].map(([, call]) => `${call} in ${file}`),
      );
    expect(calls).toEqual([
      'failed in features/products/actions.ts',
      'failed in features/products/actions.ts',
      'done in features/tools/import-data/batch/BatchView.tsx',
    ]);
  });

  it('is shown by one file only, which knows the duration', () => {
    const src = join(import.meta.dirname, '..');
    const others = readdirSync(src, { recursive: true })
      .map(String)
      .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
      .filter((file) =>
        /notifications\.(show|update)\(/.test(readFileSync(join(src, file), 'utf8')),
      );
    expect(others).toEqual(['ui/toast.tsx']);
  });

  it('is replaced by a lasting message if it has to be read, shown once', () => {
    lastingError('Code “A1” is used by Chicken wings.');
    lastingError('Code “A1” is used by Chicken wings.');
    expect(shown()).toMatchObject([{ autoClose: false, role: 'alert' }]);
  });
});
