import type { ComesWhole } from '#/api/names';
import { type LineOverride, overrideColumns } from '#/documents/overrides';
import type { UsedLine } from '#/documents/productions';
import type { GridColumn } from '#/grid/types';
import { MISSING, qty } from '#/ui/format';

/** A batch's ingredients: by recipe, and as used. */
export function columnsOf(
  editing: boolean,
  whole: ComesWhole,
  overrides: readonly LineOverride[],
): GridColumn<UsedLine>[] {
  return [
    { id: 'name', label: 'Ingredient', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 110, phone: 'none', cell: ({ sku }) => sku ?? '' },
    { id: 'unit', label: 'Unit', width: 80, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'planned',
      label: 'Planned',
      width: 110,
      right: true,
      phone: 'sub',
      cell: ({ planned }) => qty(planned),
    },
    {
      id: 'used',
      label: 'Used',
      width: 110,
      right: true,
      ...(!editing && { phone: 'sub' as const }),
      cell: ({ used }) => qty(used),
      ...(editing && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: UsedLine) => uomCode,
          whole: ({ uomId }: UsedLine) => whole(uomId),
          value: ({ used }: UsedLine) => used ?? null,
          placeholder: ({ planned }: UsedLine) => qty(planned),
          check: (value: number | null) =>
            value !== null && value < 0 ? 'Enter zero or more.' : null,
        },
      }),
    },
    {
      id: 'difference',
      label: 'Against plan',
      width: 110,
      right: true,
      phone: 'none',
      cell: ({ planned, used }) => (used == null ? MISSING : againstPlan(used, planned)),
    },
    {
      id: 'lot',
      label: 'Lot',
      width: 150,
      ...(!editing && { phone: 'sub' as const }),
      cell: ({ lot }) => lot ?? '',
      ...(editing && {
        edit: {
          kind: 'text' as const,
          value: ({ lot }: UsedLine) => lot ?? null,
          placeholder: () => 'First to expire',
        },
      }),
    },
    ...overrideColumns<UsedLine>(overrides),
  ];
}

/** `+2.5`, `−1`, or a dash if as planned. */
export function againstPlan(used: number, planned: number): string {
  const more = Math.round((used - planned) * 1e6) / 1e6;
  if (more === 0) return MISSING;
  return `${more > 0 ? '+' : ''}${qty(more)}`;
}

/** Made of planned in percent, to the tenth; null while either is missing. */
export function yieldOf(made: number | null, planned: number | null): number | null {
  if (made === null || Number.isNaN(made) || !planned) return null;
  return Math.round((made / planned) * 1000) / 10;
}
