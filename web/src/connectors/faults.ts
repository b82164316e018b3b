// What a connector's settings lack, as the server would refuse them.
import type { Connector, Reading, Schedule, Settings } from './api';
import type { AskedSecret, Kind } from './kind';
import { fieldLabel, minutesOf } from './labels';

/** A field that keeps a connector from being saved. */
export interface Fault {
  /** As the server names it: «settings.url». */
  field: string;
  label: string;
  message: string;
}

/** A form as it is filled in. */
export interface Filled<S extends Settings> {
  name: string;
  settings: S;
  secret: string;
  schedule: Schedule;
  /** The time of day as it is typed. */
  time: string;
}

/** What keeps a connector from being saved, in the order of the form. */
export function faultsOf<S extends Settings>(
  kind: Kind<S>,
  connector: Connector | null,
  filled: Filled<S>,
): Fault[] {
  const { name, settings, secret, schedule, time } = filled;
  const found: Fault[] = [];
  if (!name.trim() || [...name.trim()].length > 80)
    found.push({
      field: 'name',
      label: 'Name',
      message: 'Enter a name of at most 80 characters.',
    });
  found.push(...requestFaults(kind, connector, settings, secret));
  found.push(...readingFaults(settings.reading, kind.dated(settings), settings.kind === 'api'));
  if (schedule.enabled && minutesOf(time) === null)
    found.push({
      field: 'schedule.minutes',
      label: 'At',
      message: 'Enter a time between 00:00 and 23:59.',
    });
  if (schedule.enabled && schedule.weekdays === 0)
    found.push({ field: 'schedule.weekdays', label: 'Days', message: 'Choose at least one day.' });
  return found;
}

/** What keeps it from being tried: all but its name, what is read, and when. */
export function requestFaults<S extends Settings>(
  kind: Kind<S>,
  connector: Connector | null,
  settings: S,
  secret: string,
): Fault[] {
  const asks = kind.secretOf(settings);
  const fault = asks && secretFault(asks, connector, settings, secret);
  return [...kind.faults(settings), ...(fault ? [fault] : [])];
}

function secretFault(
  { name, label, make }: AskedSecret,
  connector: Connector | null,
  settings: Settings,
  secret: string,
): Fault | null {
  const field = `secrets.${name}`;
  if (make && secret && secret.length < 16)
    return { field, label, message: 'Use at least 16 characters; «Make one» does.' };
  if (secret) return null;
  if (!connector?.secrets[name]) return { field, label, message: 'Enter the secret.' };
  if (sentTo(connector.settings) === sentTo(settings)) return null;
  return {
    field,
    label,
    message:
      'The address changed, so enter the secret again: it is not sent to another server by itself.',
  };
}

/** Where the secret is sent: a saved one is not sent elsewhere. */
function sentTo(settings: Settings): string {
  if (settings.kind !== 'api') return '';
  const { auth, url } = settings;
  return `${originOf(url)} ${auth.kind === 'oAuth' ? originOf(auth.tokenUrl) : ''}`;
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;

/** What the map of fields lacks. `dated`: the day is known without a field; `json`: fields are paths in an answer. */
export function readingFaults(reading: Reading, dated: boolean, json: boolean): Fault[] {
  const { fields, storeId } = reading;
  const found: Fault[] = [];
  const at = (field: string, message: string) =>
    found.push({ field: `settings.reading.fields.${field}`, label: fieldLabel(field), message });
  if (!dated && !fields.date) at('date', 'Choose what holds the date.');
  if (!fields.store && !storeId)
    at('store', 'Choose what holds the store, or the one store all of it belongs to.');
  else if (fields.storeCode && !fields.store)
    at('store', "Choose what holds the store's name, or take its code as the store.");
  if (!fields.item && !fields.itemName) at('item', 'Choose what holds the item.');
  if (!fields.quantity) at('quantity', 'Choose what holds the quantity.');
  if (json) for (const field of apart(reading)) at(field, OTHER_LIST);
  if (fields.store && storeId)
    found.push({
      field: 'settings.reading.storeId',
      label: 'Store, where no field names it',
      message: 'Choose either what holds the store or one store for all of it.',
    });
  return found;
}

const OTHER_LIST = 'This is in another list than the other fields. Choose from one list.';

/** Fields in another list of the answer than the innermost one and its parents. */
function apart({ fields, key }: Reading): string[] {
  const paths = [...Object.values(fields), key].filter((path) => path != null);
  const deepest = paths.map(listOf).reduce((a, b) => (lists(b) > lists(a) ? b : a), '');
  return Object.entries(fields)
    .filter(([, path]) => path && !deepest.startsWith(listOf(path)))
    .map(([field]) => field);
}

/** The list that a value is in: «data[].lines[]» of «data[].lines[].qty». */
const listOf = (path: string): string => path.slice(0, path.lastIndexOf('[]') + 2 || 0);
const lists = (list: string): number => list.split('[]').length;
