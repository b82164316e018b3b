import type { components } from '#/api/schema.gen';
import { defineList } from '#/lists/define';
import { listPage } from '#/lists/ListPage';
import { kindOfUnit } from '#/ui/numberInput';

type Uom = components['schemas']['Uom'];

/** The server uses the same words if the record does not say. */
const comesWhole = (unit: string) => kindOfUnit(unit) === 'whole';

export default listPage(
  defineList<Uom>({
    slug: 'uoms',
    permission: 'lists/allLists',
    name: 'name',
    fields: [
      { kind: 'text', name: 'name', label: 'Name', required: true },
      {
        kind: 'text',
        name: 'code',
        label: 'Code',
        required: true,
        max: 20,
        column: { width: 160, phone: 'end' },
      },
      {
        kind: 'boolean',
        name: 'wholeOnly',
        label: 'Comes whole',
        hint: 'On for a tub, bottle or tray: only whole numbers are ordered, sent and wasted. Off for kg or L.',
        initial: ({ code, name }) => [code, name].every((unit) => comesWhole(String(unit ?? ''))),
        wide: true,
        column: { width: 140, phone: 'none' },
      },
    ],
    empty: 'Quantities of products and items are counted in these: kg, piece, case.',
  }),
);
