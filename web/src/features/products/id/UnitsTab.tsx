import { IconRuler2 } from '@tabler/icons-react';
import { useMemo } from 'react';
import { EmptyState } from '#/ui/EmptyState';
import { DOT, inFull } from '#/ui/format';
import { Panel } from '#/ui/Page';
import type { Product } from '../api';
import { useUnitName } from '../names';
import { Converter } from '../parts/Converter';
import { UnitGraph } from '../parts/UnitGraph';
import { unitsOf } from '../unitForm';
import { FACTOR_PLACES, formatFixed, Units } from '../units';
import classes from './UnitsTab.module.css';

/** The product's units: the drawing, and what each is in base units. */
export function UnitsTab({ product }: { product: Product }) {
  const nameOf = useUnitName();
  const set = useMemo(() => unitsOf(product), [product]);
  const { base, lines } = set;
  if (base === null) {
    return (
      <EmptyState
        compact
        icon={IconRuler2}
        title="No units yet"
        text="Edit the product and choose its base unit: stock is counted in it."
      />
    );
  }
  const units = new Units(base, lines);
  const whole = new Set(product.otherUoms.flatMap((one) => (one.whole ? [one.uomId] : [])));
  const ordered = new Set(product.otherUoms.map(({ uomId }) => uomId));

  return (
    <div className={classes.units}>
      {lines.length > 0 && (
        <Panel title="How they convert">
          <div className={classes.stack}>
            <UnitGraph units={set} nameOf={nameOf} />
            <Converter units={set} nameOf={nameOf} />
          </div>
        </Panel>
      )}
      <Panel title="Units">
        <table className={classes.table}>
          <thead>
            <tr>
              <th>Unit</th>
              <th data-right>In {nameOf(base)}</th>
              <th>Used for</th>
              <th>Barcodes</th>
            </tr>
          </thead>
          <tbody>
            {units.all().map((unit) => {
              const worth = units.factor(unit, base);
              const uses = [
                unit === base && 'Stock',
                unit === product.defaultSellingUom && 'Selling, prices',
                ordered.has(unit) && (whole.has(unit) ? 'Orders, whole packs only' : 'Orders'),
              ].filter(Boolean);
              return (
                <tr key={unit}>
                  <th scope="row">{nameOf(unit)}</th>
                  <td data-right>
                    {worth === null ? '' : inFull(Number(formatFixed(worth, FACTOR_PLACES)))}
                  </td>
                  <td>{uses.join(DOT) || 'Conversion only'}</td>
                  <td className="num">
                    {product.barcodes
                      .filter(({ uomId }) => uomId === unit)
                      .map(({ code }) => code)
                      .join(', ')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Panel>
    </div>
  );
}
