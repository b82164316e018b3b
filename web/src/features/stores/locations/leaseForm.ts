// A lease as it is typed: texts, checked and made into numbers when it is saved.
import type { components } from '#/api/schema.gen';
import { compare, type Version } from '#/form/versions';
import { today } from '#/ui/dates';
import { faultOf, type NumberKind, numberOf, showNumber } from '#/ui/numberInput';
import type { Lease, LeaseDraft } from './leases';

type CmsrFigure = components['schemas']['CmsrFigure'];

const pesos = (value: number | null | undefined) => showNumber(value, 'money');
const share = (value: number | null | undefined) => showNumber(value, 'percent');
/** An empty field is zero; a text that is no number is refused before it is sent. */
const number = (typed: string, as: NumberKind) => numberOf(typed, as) ?? 0;
/** What is wrong with a number; an empty field is right. */
export const wrong = (typed: string, as: NumberKind) =>
  typed.trim() === '' ? null : faultOf(typed, as);
/** How the value of an add-back is read: an amount, or a percentage of something. */
export const kindOf = (of: string): NumberKind => (of === 'amount' ? 'money' : 'percent');

export const headOf = (lease: Lease | null) => ({
  validFrom: lease?.validFrom ?? today(),
  validTo: lease?.validTo ?? '',
  fixed: pesos(lease?.terms.fixed),
  percent: share(lease?.terms.percent),
  mode: lease?.terms.mode ?? 'greaterOf',
  notes: lease?.notes ?? '',
});

export const backsOf = (lease: Lease | null) =>
  lease?.terms.addBacks.map((one) => ({
    name: one.name,
    value: one.amount != null ? pesos(one.amount) : share(one.percent),
    of: one.amount != null ? 'amount' : (one.of ?? ''),
  })) ?? [];

export const breaksOf = (lease: Lease | null) =>
  lease?.terms.breakpoints.map((one) => ({
    over: pesos(one.over),
    percent: share(one.percent),
  })) ?? [];

type Head = ReturnType<typeof headOf>;
export type Back = ReturnType<typeof backsOf>[number];
export type Break = ReturnType<typeof breaksOf>[number];

/** A lease as its form holds it. */
export interface TypedLease {
  head: Head;
  breaks: readonly Break[];
  backs: readonly Back[];
}

const LABELS = {
  validFrom: 'First day',
  validTo: 'Last day',
  fixed: 'Fixed rent a month',
  percent: 'Percentage of net sales',
  mode: 'Rent due',
  notes: 'Notes',
  breaks: 'Percentages above some sales',
  backs: 'Added back',
};

/** A lease as texts, to compare two versions of it. */
function shown({ head, breaks, backs }: TypedLease) {
  return {
    ...head,
    mode: head.mode === 'additive' ? 'Fixed and percentage' : 'The greater of both',
    breaks: breaks.map(({ over, percent }) => `${percent}% above ${over}`),
    backs: backs.map(({ name, value, of }) => `${name} ${value}${of === 'amount' ? '' : '%'}`),
  };
}

/** What differs between the lease in the form and the one that is saved. */
export const versionsOf = (mine: TypedLease, theirs: Lease): Version[] =>
  compare(
    LABELS,
    shown(mine),
    shown({ head: headOf(theirs), breaks: breaksOf(theirs), backs: backsOf(theirs) }),
  );

/** Whether every number can be read. */
export const isValid = ({ head, breaks, backs }: TypedLease): boolean =>
  !wrong(head.fixed, 'money') &&
  !wrong(head.percent, 'percent') &&
  breaks.every(({ over, percent }) => !wrong(over, 'money') && !wrong(percent, 'percent')) &&
  backs.every(({ value, of }) => !wrong(value, kindOf(of)));

/** A lease as it is sent. */
export function draftOf({
  head,
  breaks,
  backs,
}: TypedLease): Omit<LeaseDraft, 'storeId' | 'revision'> {
  return {
    validFrom: head.validFrom,
    validTo: head.validTo || null,
    notes: head.notes,
    terms: {
      fixed: number(head.fixed, 'money'),
      percent: number(head.percent, 'percent'),
      mode: head.mode,
      breakpoints: breaks.map((one) => ({
        over: number(one.over, 'money'),
        percent: number(one.percent, 'percent'),
      })),
      addBacks: backs.map(({ name, value, of }) =>
        of === 'amount'
          ? { name, amount: number(value, 'money') }
          : { name, percent: number(value, 'percent'), ...(of ? { of: of as CmsrFigure } : {}) },
      ),
    },
  };
}
