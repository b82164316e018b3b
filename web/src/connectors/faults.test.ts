import { describe, expect, it } from 'vitest';
import { apiKind } from '#/features/tools/services/get-sales-api/kind';
import type { ApiSettings, Connector } from './api';
import { type Filled, faultsOf, readingFaults, requestFaults } from './faults';

const whole: ApiSettings = {
  ...apiKind.blank,
  url: 'https://pos.example.com/sales?date={date}',
  reading: {
    ...apiKind.blank.reading,
    fields: { store: 'data[].branch', item: 'data[].lines[].sku', quantity: 'data[].lines[].qty' },
  },
};
const filled = (settings: ApiSettings, more: Partial<Filled<ApiSettings>> = {}) => ({
  name: 'Tills',
  settings,
  secret: '',
  schedule: { enabled: true, minutes: 180, weekdays: 127 },
  time: '03:00',
  ...more,
});
const fields = (settings: ApiSettings, more?: Partial<Filled<ApiSettings>>, saved?: Connector) =>
  faultsOf(apiKind, saved ?? null, filled(settings, more)).map(({ field }) => field);

describe('what keeps a connector from being saved', () => {
  it('is named for an empty form, in its order, and gone when all is there', () => {
    expect(fields(apiKind.blank, { name: ' ' })).toEqual([
      'name',
      'settings.url',
      'settings.reading.fields.date',
      'settings.reading.fields.store',
      'settings.reading.fields.item',
      'settings.reading.fields.quantity',
    ]);
    expect(fields(whole)).toEqual([]);
  });

  it('is what the chosen way of signing in and paging needs', () => {
    const paged: ApiSettings = { ...whole, paging: { kind: 'cursor', path: '' } };
    expect(fields(paged)).toEqual(['settings.url', 'settings.paging.path']);
    const signed: ApiSettings = { ...whole, auth: { kind: 'header', name: '' } };
    expect(fields(signed)).toEqual(['settings.auth.name', 'secrets.token']);
    expect(requestFaults(apiKind, null, signed, 'abc').map(({ field }) => field)).toEqual([
      'settings.auth.name',
    ]);
  });

  it('is a saved secret whose address changed', () => {
    const bearer: ApiSettings = { ...whole, auth: { kind: 'bearer' } };
    const saved = { settings: bearer, secrets: { token: '2026-11-01T00:00:00Z' } };
    expect(fields(bearer, {}, saved as unknown as Connector)).toEqual([]);
    const moved = { ...bearer, url: 'https://other.example.com/sales?date={date}' };
    const [fault] = faultsOf(apiKind, saved as unknown as Connector, filled(moved));
    expect(fault).toMatchObject({ field: 'secrets.token', label: 'Token' });
    expect(fault?.message).toContain('The address changed');
  });

  it('is a time and days only if it runs by itself', () => {
    const schedule = { enabled: true, minutes: 0, weekdays: 0 };
    expect(fields(whole, { time: '', schedule })).toEqual([
      'schedule.minutes',
      'schedule.weekdays',
    ]);
    expect(fields(whole, { time: '', schedule: { ...schedule, enabled: false } })).toEqual([]);
  });

  it('is a field in another list than the others', () => {
    const reading = {
      ...whole.reading,
      fields: { ...whole.reading.fields, tender: 'data[].payments[].name' },
    };
    expect(readingFaults(reading, true, true).map(({ label }) => label)).toEqual(['Paid by']);
    // Columns of a file are in no list.
    expect(readingFaults(reading, true, false)).toEqual([]);
  });
});

it('offers a number of records only where one is compared', () => {
  const roles = (paging: ApiSettings['paging']) =>
    apiKind.roles({ ...whole, paging }).map(({ value }) => value);
  expect(roles({ kind: 'none' })).not.toContain('total');
  expect(roles({ kind: 'page', first: 1 })).toContain('total');
});
