import { IconReportMoney } from '@tabler/icons-react';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { plural } from '#/ui/format';
import { belowOf, chartOf, fits, positionOf, type Row, unmergeable } from './chart';
import { useBalanceColumns } from './columns';
import { ImportLink } from './ImportLink';
import { TYPES, typeOf } from './types';

const options = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));

const TYPE_OPTIONS = options(TYPES.map(({ name }) => name));
const DETAIL_OPTIONS = options([...new Set(TYPES.flatMap(({ details }) => details))]);

export default listPage(
  defineList<Row>({
    slug: 'chart-of-accounts',
    base: '/api/your-company/chart-of-accounts',
    permission: 'yourCompany/chartOfAccounts',
    title: 'Chart of accounts',
    icon: IconReportMoney,
    name: 'name',
    tree: 'parentId',
    fields: [
      {
        kind: 'text',
        name: 'number',
        label: 'Number',
        max: 50,
        column: { width: 110, muted: true, phone: 'sub' },
      },
      { kind: 'text', name: 'name', label: 'Name', required: true },
      {
        kind: 'enum',
        name: 'type',
        label: 'Type',
        required: true,
        options: TYPE_OPTIONS,
        column: {
          width: 200,
          phone: 'none',
          text: (row) => (row.heading ? null : row.type),
        },
      },
      {
        kind: 'enum',
        name: 'detailType',
        label: 'Detail type',
        options: DETAIL_OPTIONS,
        optionsFor: ({ type }) => options(typeOf(type as string | null)?.details ?? []),
        column: { width: 240, muted: true },
      },
      {
        kind: 'parent',
        name: 'parentId',
        label: 'Parent account',
        options: [],
        wide: true,
        hint: 'An account of the same type.',
      },
      { kind: 'long', name: 'description', label: 'Description', column: false },
      {
        section: 'Opening',
        kind: 'money',
        name: 'openingBalance',
        label: 'Opening balance',
        signed: true,
        added: true,
        column: false,
      },
      { kind: 'date', name: 'openingBalanceDate', label: 'As of', column: false },
      {
        kind: 'text',
        name: 'currency',
        label: 'Currency',
        max: 3,
        initial: 'PHP',
        column: { width: 100, hidden: true, phone: 'none', text: currencyOf },
      },
      {
        kind: 'boolean',
        name: 'active',
        label: 'Active',
        hint: 'Inactive accounts are hidden and can’t be chosen.',
        initial: true,
        wide: true,
        column: false,
      },
    ],
    hides: {
      param: 'includeInactive',
      usual: 'Active',
      all: 'All',
      is: (row) => !row.heading && !row.active,
      by: { field: 'active', hidden: false, hide: 'Make inactive', show: 'Make active' },
    },
    locks: ({ total, uses }) =>
      total === 0
        ? null
        : {
            type: `Fixed, because it is used: ${uses
              .map(({ count, label }) => plural(count, label, label).toLowerCase())
              .join(', ')}.`,
          },
    shown: chartOf,
    heading: (row) => row.heading !== undefined,
    below: belowOf,
    position: positionOf,
    sortedBy: (row) => row.number ?? row.name,
    fits,
    useColumns: useBalanceColumns,
    actions: ImportLink,
    unmergeable,
    subrecord: {
      label: 'Add sub-account',
      of: ({ id, type, currency }) => ({ parentId: id, type, currency }),
    },
    merged: 'What is merged into it becomes inactive. This can’t be undone.',
    empty: 'Import the chart from QuickBooks or NetSuite, or make the first account.',
  }),
);

function currencyOf(row: Row): string | null {
  return row.heading ? null : row.currency;
}
