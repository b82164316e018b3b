import { expect, it } from 'vitest';
import { expiry, rejectReason } from './documents';

it('shows how long a permit is valid', () => {
  const on = (expires: string | null) => expiry(expires, '2026-11-20');
  expect(on('2026-11-19')).toEqual({ words: 'Expired', tone: 'danger' });
  expect(on('2026-11-20')).toEqual({ words: 'Expires today', tone: 'danger' });
  expect(on('2026-11-21')?.words).toBe('Expires in 1 day');
  expect(on('2026-12-02')).toEqual({ words: 'Expires in 12 days', tone: 'warn' });
  expect(on('2027-11-20')).toEqual({ words: 'Valid until 20 Nov 2027', tone: 'ok' });
  expect(on(null)).toBeNull();
});

it('refuses what the server would refuse, before it is sent', () => {
  expect(rejectReason({ name: 'permit.PDF', size: 10 })).toBeNull();
  expect(rejectReason({ name: 'permit.exe', size: 10 })).toMatch(/PDF/);
  expect(rejectReason({ name: 'permit.pdf.html', size: 10 })).toMatch(/PDF/);
  expect(rejectReason({ name: 'scan.png', size: 21 * 1024 * 1024 })).toMatch(/20 MB/);
  expect(rejectReason({ name: 'scan.png', size: 0 })).toMatch(/empty/);
});
