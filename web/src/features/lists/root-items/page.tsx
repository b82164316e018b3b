import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { RootItemPrices } from './Prices';
import { ProposedLink } from './ProposedLink';

type RootItem = components['schemas']['RootItem'];

export default listPage(
  defineList<RootItem>({
    slug: 'root-items',
    permission: 'lists/allLists',
    name: 'name',
    remote: true,
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true, wide: true },
      {
        kind: 'text',
        name: 'rootProductId',
        label: 'Root product ID',
        max: 100,
        column: { width: 170, muted: true },
      },
      { kind: 'text', name: 'type', label: 'Type', max: 100, column: { width: 160 } },
      {
        kind: 'decimal',
        name: 'weightKg',
        // Decimal commas are accepted here (SPEC 5).
        reads: 'factor',
        label: 'Weight',
        unit: 'kg',
        column: { width: 130, label: 'Weight (kg)' },
      },
      {
        kind: 'money',
        name: 'price',
        label: 'Price',
        reads: 'price',
        hint: 'A new price counts from today on. For other days, see Prices.',
        column: { width: 130, phone: 'end' },
      },
      {
        kind: 'boolean',
        name: 'production',
        label: 'In production',
        hint: 'Items out of production are hidden from lists.',
        initial: true,
        wide: true,
        column: { width: 130, hidden: true },
      },
    ],
    hides: {
      param: 'includeHidden',
      usual: 'In production',
      all: 'All',
      is: ({ production }) => production === false,
      by: {
        field: 'production',
        hidden: false,
        hide: 'Take out of production',
        show: 'Put into production',
      },
    },
    view: { value: 'prices', label: 'Prices', content: RootItemPrices },
    merged:
      'The one that stays keeps its own prices. The others are deleted with theirs. This can’t be undone.',
    actions: ProposedLink,
    empty: 'Root items are the ingredients that usage, forecasts and variance are counted in.',
  }),
);
