// Why an item has to be counted: a document took more of it than was expected.
import type { components } from '#/api/schema.gen';
import { MISSING, moment, qty } from '#/ui/format';

export type Mark = components['schemas']['MarkedItem'];

const DID: Readonly<Record<string, string>> = {
  waste: 'thrown away',
  supplierReturn: 'sent back',
};

const LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

const measured = (value: number, unit: string | null | undefined) =>
  unit ? `${qty(value)} ${unit}` : qty(value);

/** «24 Nov 14:10»; empty if unknown. */
function when(at: string): string {
  const text = moment(at);
  if (text === MISSING) return '';
  const [date = '', clock = ''] = text.split(', ');
  return `${date.split(' ').slice(0, 2).join(' ')} ${clock}`;
}

/** «Count this: 5 pack sent while 1.5 kg expected, 24 Nov 14:10 (TR-…)»; empty if it is not marked. */
export function markText(mark: Mark | null | undefined): string {
  if (!mark) return '';
  const { asked, expected, unit, documentKind, documentNo } = mark;
  const known = typeof expected === 'number' ? measured(expected, unit) : null;
  const at = when(mark.markedAt);
  const then = at && `, ${at}`;
  if (!asked?.length) {
    const what = documentNo ?? 'A document';
    return `Count this: ${what} took more than ${known ? `the ${known} ` : ''}expected${then}`;
  }
  const taken = LIST.format(asked.map((one) => measured(one.qty, one.unit)));
  const did = DID[documentKind ?? ''] ?? 'sent';
  const instead = known ? ` while ${known} expected` : ', more than expected';
  return `Count this: ${taken} ${did}${instead}${then}${documentNo ? ` (${documentNo})` : ''}`;
}
