// Questions that the mapping step finds by itself.
import { Button } from '@mantine/core';
import { count, plural, qty } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { asProducts, assign, maybeQuantity, nameOf, unfolded } from '../mapping';
import type { Layout, Mapping } from '../types';
import classes from './MappingStep.module.css';

interface AskProps {
  layout: Layout;
  mapping: Mapping;
  onChange(mapping: Mapping): void;
}

/** A column of numbers may be the quantity: nobody should find out afterwards. */
export function QuantityQuestion({ layout, mapping, onChange }: AskProps) {
  const maybe = maybeQuantity(layout, mapping);
  if (maybe.length === 0) return null;
  const names = maybe
    .map((column) => `“${nameOf(column, mapping.hasHeader, layout.columns)}”`)
    .join(', ');
  return (
    <div
      className={classes.ask}
      data-open={!mapping.eachRowIsOne || undefined}
      role="group"
      aria-label="Quantity"
    >
      <p>
        <strong>How many were sold?</strong> {names} may say it, and no column is the quantity yet.
      </p>
      <div className={classes.answers}>
        {maybe.map((column) => (
          <Button
            key={column.index}
            size="xs"
            variant="default"
            onClick={() =>
              onChange({ ...assign(mapping, column.index, 'quantity'), eachRowIsOne: false })
            }
          >
            {nameOf(column, mapping.hasHeader, layout.columns)} is the quantity
            {typeof column.sum === 'number' && ` (${qty(column.sum)} in all)`}
          </Button>
        ))}
        <Button
          size="xs"
          variant={mapping.eachRowIsOne ? 'light' : 'default'}
          aria-pressed={mapping.eachRowIsOne}
          onClick={() => onChange({ ...mapping, eachRowIsOne: !mapping.eachRowIsOne })}
        >
          Each row is one{layout.rows ? ` (${count(layout.rows)} in all)` : ''}
        </Button>
      </div>
    </div>
  );
}

/** A file with one column a product, shown as the lines it would become. */
export function ProductColumns({ layout, mapping, onChange }: AskProps) {
  const found = layout.columns.filter(({ index }) => layout.productColumns?.includes(index));
  const names = found.map((column) => nameOf(column, mapping.hasHeader, layout.columns));
  const few = names.slice(0, 4).join(', ');
  const answer = mapping.products ? mapping.products.length > 0 : null;
  const lines = unfolded(layout, mapping);
  return (
    <Panel title="Has each product a column of its own?">
      <p className={classes.question}>
        {plural(names.length, 'column')} look like products: {few}
        {names.length > 4 && ` and ${names.length - 4} more`}. Their cells would be the quantities.
      </p>
      <Segments<'yes' | 'no' | ''>
        label="One column a product"
        value={answer === null ? '' : answer ? 'yes' : 'no'}
        options={[
          { value: 'yes', label: 'Yes, each is a product' },
          { value: 'no', label: 'No' },
        ]}
        onChange={(next) => onChange(asProducts(layout, mapping, next === 'yes'))}
      />
      {answer !== false && lines.length > 0 && (
        <table className={classes.unfolded}>
          <caption>How the first rows would be read</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Store</th>
              <th scope="col">Item</th>
              <th scope="col">Quantity</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ date, store, item, quantity }, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines may repeat
              <tr key={i}>
                <td>{date || '–'}</td>
                <td>{store || '–'}</td>
                <td>{item}</td>
                <td className="num">{quantity}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
