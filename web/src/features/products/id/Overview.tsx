import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router';
import { useNamesOf } from '#/lists/api';
import { inFull, MISSING, moment, money, plural, qty } from '#/ui/format';
import { Panel, Tile, Tiles } from '#/ui/Page';
import { type Product, pictureOf } from '../api';
import { isLow, priceAt } from '../columns';
import { useListedLevel, useUnitName } from '../names';
import { UnitGraph } from '../parts/UnitGraph';
import { unitsOf } from '../unitForm';
import { FACTOR_PLACES, formatFixed, Units } from '../units';
import classes from './Overview.module.css';
import { StockChart } from './StockChart';

const KINDS = ['categories', 'product-types', 'food-types', 'storage-requirements'] as const;

export function Overview({ product }: { product: Product }) {
  const nameOf = useNamesOf(KINDS);
  const unitOf = useUnitName();
  const level = useListedLevel();
  const base = unitOf(product.baseUom);
  const selling = unitOf(product.defaultSellingUom) || base;
  const picture = pictureOf(product.imageUrl, 'full');
  const price = priceAt(product, level);
  const units = useMemo(() => unitsOf(product), [product]);

  const facts: [string, ReactNode][] = [
    ['Type', product.type],
    ['Category', nameOf('categories', product.category)],
    ['Product type', nameOf('product-types', product.productType)],
    ['Food type', nameOf('food-types', product.foodType)],
    ['Storage', nameOf('storage-requirements', product.storageRequirement)],
    ['Shelf life', product.shelfLife == null ? null : plural(product.shelfLife, 'day')],
    ['Base unit', base],
    ['Selling unit', sellingLabel(product, unitOf)],
    [
      'Weight',
      product.baseUomWeight == null ? null : `${inFull(product.baseUomWeight)} kg / ${base}`,
    ],
    [
      'Volume',
      product.baseUomVolume == null ? null : `${inFull(product.baseUomVolume)} m³ / ${base}`,
    ],
    ['Inventory account', account(product, 'inventoryAssetAccount')],
    ['Expense account', account(product, 'expenseAccount')],
  ];

  return (
    <div className={classes.overview}>
      <Tiles>
        <Tile
          name="On hand"
          value={[qty(product.quantity), base].filter(Boolean).join(' ')}
          note={
            isLow(product) ? (
              <span className={classes.low}>Below reorder point</span>
            ) : (
              <Link to="?tab=stock" className={classes.link}>
                By place
              </Link>
            )
          }
        />
        <Tile
          name="Reorder point"
          value={
            product.reorderPoint == null
              ? MISSING
              : [qty(product.reorderPoint), base].filter(Boolean).join(' ')
          }
        />
        <Tile
          name={level ? `Price, ${level.name}` : 'Price'}
          value={money(price)}
          note={selling ? `for one ${selling}` : undefined}
        />
        <Tile
          name="Root items"
          value={
            product.rootItemConversions.length === 0
              ? MISSING
              : qty(product.rootItemConversions.length)
          }
          note={
            <Link to="?tab=root-items" className={classes.link}>
              {product.rootItemConversions.length === 0 ? 'Not in any forecast' : 'What is in it'}
            </Link>
          }
        />
      </Tiles>
      <Panel>
        <div className={classes.body}>
          {picture && <img className={classes.picture} src={picture} alt={product.name} />}
          <div className={classes.words}>
            {product.description && <p className={classes.description}>{product.description}</p>}
            <dl className={classes.facts}>
              {facts.map(([name, value]) => (
                <div key={name} className={classes.fact}>
                  <dt>{name}</dt>
                  <dd>{value || MISSING}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </Panel>
      <div className={classes.pictures}>
        {product.type !== 'Service' && <StockChart product={product} />}
        {units.lines.length > 0 && (
          <Panel
            title="Units"
            aside={
              <Link to="?tab=units" className={classes.link}>
                Convert
              </Link>
            }
          >
            <UnitGraph units={units} nameOf={unitOf} />
          </Panel>
        )}
      </div>
      <p className={classes.note}>
        Last changed {moment(product.updatedAt)}
        {product.updatedBy?.name && ` by ${product.updatedBy.name}`}. Created{' '}
        {moment(product.createdAt)}.
      </p>
    </div>
  );
}

/** «CASE, 24 PC» */
function sellingLabel(product: Product, unitOf: (unit: string | undefined) => string): string {
  const { base, lines } = unitsOf(product);
  const selling = product.defaultSellingUom;
  if (!selling || !base || selling === base) return unitOf(selling);
  const worth = new Units(base, lines).factor(selling, base);
  const many =
    worth === null ? '' : `, ${inFull(Number(formatFixed(worth, FACTOR_PLACES)))} ${unitOf(base)}`;
  return unitOf(selling) + many;
}

function account(product: Product, which: 'inventoryAssetAccount' | 'expenseAccount'): string {
  return [product[`${which}Number`], product[`${which}Name`]].filter(Boolean).join(' ');
}
