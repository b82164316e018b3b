// Z-readings typed and verified over HTTP, as accounting does: tests of later steps need no pictures.

import type { Api } from './test.ts';

const BASE = '/api/sales/z-reading';
const DAY = 86_400_000;

interface Reading {
  id: string;
  revision: number;
  gross: number;
  net: number;
  vatable: number;
  vat: number;
}

/** Verified readings of till T1 with these VATable sales in pesos, without the tax, on each of these days, paid in cash. */
export async function putReadings(api: Api, storeId: string, days: readonly string[], pesos: number): Promise<void> {
  const net = pesos * 1.12;
  for (const [at, businessDate] of days.entries()) {
    const { id, revision } = await api.call<Reading>('POST', BASE, {
      storeId,
      terminalId: 'T1',
      businessDate,
      zCounter: at + 1,
      gross: net,
      net,
      vatable: pesos,
      vat: pesos * 0.12,
      exempt: 0,
      zeroRated: 0,
      tenders: [{ kind: 'cash', label: 'CASH', amount: net }],
    });
    await api.call('POST', `${BASE}/${id}/verify`, { revision });
  }
}

/** Reopens the reading of a day, adds VATable sales in pesos, without the tax, and verifies it again. */
export async function correctReading(api: Api, storeId: string, day: string, pesos: number): Promise<void> {
  const { items } = await api.call<{ items: Reading[] }>('GET', `${BASE}?storeId=${storeId}&from=${day}&to=${day}`);
  const [found] = items;
  if (!found) throw new Error(`no reading of ${day}`);
  const path = `${BASE}/${found.id}`;
  const reopened = await api.call<Reading>('POST', `${path}/reopen`, { revision: found.revision });
  const changed = await api.call<Reading>('PATCH', path, {
    revision: reopened.revision,
    gross: reopened.gross + pesos * 1.12,
    net: reopened.net + pesos * 1.12,
    vatable: reopened.vatable + pesos,
    vat: reopened.vat + pesos * 0.12,
    tenders: [{ kind: 'cash', label: 'CASH', amount: reopened.net + pesos * 1.12 }],
  });
  await api.call('POST', `${path}/verify`, { revision: changed.revision });
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
