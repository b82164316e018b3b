// Verified Z-readings, written to the database: tests of later steps need no pictures.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Server } from './server.ts';

const DAY = 86_400_000;
const BY = JSON.stringify({ uid: 'u', name: 'Ana', email: '' });

/** A day as stored in the database. */
const dayNumber = (day: string) => Date.parse(day) / DAY;

/** Readings with these VATable sales in pesos, without the tax, on each of these days, paid in cash. */
export function putReadings(server: Server, storeId: string, days: readonly string[], pesos: number): void {
  const db = new DatabaseSync(join(server.folder, 'larder.db'));
  const insert = db.prepare(
    `insert into z_readings (id, store_id, terminal_id, state, source, business_date, z_counter, reset_counter, gross,
       net, vatable, vat, tenders, steps, search_key, revision, created_at, created_by, updated_at, updated_by)
     values (?, ?, 'T1', 'verified', 'typed', ?, ?, 0, ?, ?, ?, ?, ?, '[]', '', 1, 0, ?, 0, ?)`,
  );
  const tenders = JSON.stringify([{ kind: 'cash', label: 'CASH', amount: pesos * 1.12 }]);
  for (const day of days) {
    const number = dayNumber(day);
    const gross = pesos * 112;
    insert.run(`z-${storeId}-${day}`, storeId, number, number, gross, gross, pesos * 100, pesos * 12, tenders, BY, BY);
  }
  db.close();
}

/** Adds pesos to a reading, like a correction. */
export function changeReading(server: Server, storeId: string, day: string, pesos: number): void {
  const db = new DatabaseSync(join(server.folder, 'larder.db'));
  const by = pesos * 100;
  const change = 'update z_readings set gross = gross + ?, net = net + ?, revision = revision + 1 where id = ?';
  db.prepare(change).run(by, by, `z-${storeId}-${day}`);
  db.close();
}

/** Every day of a month, `2025-02`. */
export function daysOf(month: string): string[] {
  const first = Date.parse(`${month}-01`);
  const days: string[] = [];
  for (let at = first; new Date(at).toISOString().startsWith(month); at += DAY) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}
