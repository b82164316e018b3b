// The equations of a reading being typed, in centavos. The server decides; it computes the same
// (crates/domain/src/zreading/checks.rs).
import { money } from '#/ui/format';

/** The tolerance between two amounts: tills round by this. */
const TOLERANCE = 5;
/** The grand total wraps around after 9,999,999,999.99. */
const ROUND = 1_000_000_000_000;

export interface Equation {
  name: string;
  holds: boolean;
  /** It holds, but for a rounding: its sides are not equal. */
  rounded?: boolean;
  /** Both sides in words and figures. */
  left: string;
  right: string;
  fields: readonly string[];
}

export interface Terms {
  basis: string;
  vatForm: string;
}

/** A figure in pesos; null if missing. */
export type Figure = (field: string) => number | null;

export interface Before {
  zCounter: number;
  presentTotal?: number | null;
}

export const DEDUCTIONS = [
  'senior',
  'pwd',
  'naac',
  'soloParent',
  'valor',
  'otherDiscount',
  'voids',
  'returns',
  'vatAdjustment',
] as const;

const cents = (pesos: number) => Math.round(pesos * 100);

interface Side {
  words: string;
  value: number;
}

function amounts(name: string, fields: readonly string[], left: Side, right: Side): Equation {
  const write = ({ words, value }: Side) => `${words} ${money(value / 100)}`;
  return {
    name,
    holds: Math.abs(left.value - right.value) <= TOLERANCE,
    rounded: left.value !== right.value,
    left: write(left),
    right: write(right),
    fields,
  };
}

/** The equations whose figures are all known; `paid` are the tenders in pesos. */
export function equations(
  figure: Figure,
  paid: readonly number[],
  { basis, vatForm }: Terms,
  before?: Before | null,
): Equation[] {
  const of = (field: string) => {
    const value = figure(field);
    return value === null ? null : cents(value);
  };
  const or0 = (field: string) => of(field) ?? 0;
  const found: Equation[] = [];
  const [gross, net, vatable, vat] = [of('gross'), of('net'), of('vatable'), of('vat')];
  if (gross !== null && net !== null) {
    const less = DEDUCTIONS.reduce((sum, field) => sum + or0(field), 0);
    found.push(
      amounts(
        'net',
        ['net', 'gross', ...DEDUCTIONS],
        { words: 'Net', value: net },
        { words: 'Gross less deductions', value: gross - less },
      ),
    );
  }
  if (vat !== null && vatable !== null) {
    const inclusive = vatForm === 'inclusive';
    const due = Math.round((vatable * 12) / (inclusive ? 112 : 100));
    found.push(
      amounts(
        'vat',
        ['vat', 'vatable'],
        { words: 'VAT', value: vat },
        { words: inclusive ? '12/112 of VATable' : '12% of VATable', value: due },
      ),
    );
    if (net !== null) {
      const rest = or0('exempt') + or0('zeroRated');
      found.push(
        amounts(
          'parts',
          ['net', 'vatable', 'vat', 'exempt', 'zeroRated'],
          { words: 'Net', value: net },
          {
            words: inclusive ? 'VATable + exempt + zero-rated' : 'VATable + VAT + exempt + zero',
            value: vatable + (inclusive ? 0 : vat) + rest,
          },
        ),
      );
    }
  }
  const [previous, present] = [of('previousTotal'), of('presentTotal')];
  const grown = basis === 'gross' ? gross : net;
  if (previous !== null && present !== null && grown !== null) {
    found.push(
      amounts(
        'present',
        ['presentTotal', 'previousTotal', basis],
        { words: 'New grand total', value: present },
        { words: `Old + ${basis}`, value: (((previous + grown) % ROUND) + ROUND) % ROUND },
      ),
    );
  }
  if (paid.length > 0 && net !== null) {
    const sum = paid.reduce((all, one) => all + cents(one), 0);
    const charge = or0('serviceCharge');
    const with_ = charge > 0 && Math.abs(sum - net - charge) < Math.abs(sum - net);
    found.push(
      amounts(
        'tenders',
        ['tenders', 'net', 'serviceCharge'],
        { words: 'Tenders', value: sum },
        { words: with_ ? 'Net + service charge' : 'Net', value: net + (with_ ? charge : 0) },
      ),
    );
  }
  const [transactions, first, last] = [figure('transactions'), figure('firstSi'), figure('lastSi')];
  if (transactions !== null && first !== null && last !== null && last >= first) {
    found.push({
      name: 'invoices',
      holds: transactions === last - first + 1,
      left: `Transactions ${transactions}`,
      right: `First to last invoice ${last - first + 1}`,
      fields: ['transactions', 'firstSi', 'lastSi'],
    });
  }
  const counter = figure('zCounter');
  if (before && counter !== null) {
    found.push({
      name: 'zCounter',
      holds: counter === before.zCounter + 1,
      left: `Z counter ${counter}`,
      right: `the one before + 1 is ${before.zCounter + 1}`,
      fields: ['zCounter'],
    });
    if (counter === before.zCounter + 1 && previous !== null && before.presentTotal != null) {
      found.push(
        amounts(
          'previousTotal',
          ['previousTotal'],
          { words: 'Old grand total', value: previous },
          { words: 'the reading before ended at', value: cents(before.presentTotal) },
        ),
      );
    }
  }
  return found;
}
