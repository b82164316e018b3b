import { NativeSelect, TextInput } from '@mantine/core';
import { IconPlus, IconSearch, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { faultOf, kindOfUnit, numberOf } from '#/ui/numberInput';
import classes from './DocLines.module.css';
import { findProducts, type Product, type Unit } from './products';
import { QtyInput } from './QtyInput';

/** A line the user added. Drafts on devices contain these: the names must not change. */
export interface DocLine {
  key: string;
  productId: string;
  name: string;
  units: Unit[];
  uomId: string | null;
  qty: string;
  reason?: string;
  note?: string;
  /** Its lot, if known. */
  lot?: string;
}

/** The error in its quantity; null when it can be sent. */
export function qtyFault(line: DocLine): string | null {
  if (!line.qty.trim()) return 'Enter how much.';
  const reads = readsAs(line);
  const value = numberOf(line.qty, reads);
  if (value === null) return faultOf(line.qty, reads, unitOf(line));
  return value > 0 ? null : 'Enter more than zero.';
}

const chosen = ({ units, uomId }: DocLine) => units.find((unit) => unit.uomId === uomId);

export const unitOf = (line: DocLine) => chosen(line)?.code ?? '';

const readsAs = (line: DocLine) => kindOfUnit(unitOf(line), chosen(line)?.whole);

/** The line to send. */
export const sentLine = (line: DocLine) => ({
  productId: line.productId,
  ...(line.lot ? { lot: line.lot } : {}),
  ...(line.uomId ? { uomId: line.uomId } : {}),
  qty: numberOf(line.qty, readsAs(line)) ?? 0,
});

interface PickerProps {
  products: readonly Product[] | undefined;
  onPick(line: DocLine): void;
}

/** Finds a product by a part of its name or code; a tap adds it. */
export function ProductPicker({ products, onPick }: PickerProps) {
  const [wanted, setWanted] = useState('');
  const found = findProducts(products ?? [], wanted);

  function pick({ id, name, units }: Product): void {
    const uomId = units[0]?.uomId ?? null;
    onPick({ key: crypto.randomUUID(), productId: id, name, units, uomId, qty: '' });
    setWanted('');
  }

  return (
    <search className={classes.picker}>
      <TextInput
        size="lg"
        type="search"
        label="Add an item"
        placeholder="Name or code"
        autoComplete="off"
        enterKeyHint="search"
        leftSection={<IconSearch size={20} stroke={1.7} aria-hidden />}
        value={wanted}
        disabled={!products}
        onChange={(event) => setWanted(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && found[0]) pick(found[0]);
        }}
      />
      {wanted.trim() !== '' && (
        <ul className={classes.found} aria-label="Found">
          {found.map((product) => (
            <li key={product.id}>
              <button type="button" onClick={() => pick(product)}>
                <IconPlus size={20} stroke={1.8} aria-hidden />
                <span>
                  {product.name}
                  {product.sku && <small>{product.sku}</small>}
                </span>
              </button>
            </li>
          ))}
          {found.length === 0 && <li className={classes.none}>No such item</li>}
        </ul>
      )}
    </search>
  );
}

interface LineProps {
  line: DocLine;
  tried: boolean;
  onChange(change: Partial<DocLine>): void;
  onRemove(): void;
  children?: ReactNode;
}

/** One line: product, quantity, unit. */
export function DocLineCard({ line, tried, onChange, onRemove, children }: LineProps) {
  const card = useRef<HTMLLIElement>(null);
  const fresh = useRef(line.qty === '');
  // The quantity of a new line is typed next.
  useEffect(() => {
    if (fresh.current) card.current?.querySelector('input')?.focus();
  }, []);
  const fault = tried || line.qty.trim() !== '' ? qtyFault(line) : null;
  return (
    <li className={classes.line} ref={card}>
      <div className={classes.head}>
        <strong>
          {line.name}
          {line.lot && <small>Lot {line.lot}</small>}
        </strong>
        <button
          type="button"
          className={classes.remove}
          aria-label={`Remove ${line.name}`}
          onClick={onRemove}
        >
          <IconTrash size={20} stroke={1.7} aria-hidden />
        </button>
      </div>
      <div className={classes.much}>
        <QtyInput
          label={`${line.name}: how much`}
          unit={line.units.length > 1 ? '' : unitOf(line)}
          reads={readsAs(line)}
          value={line.qty}
          placeholder="0"
          error={fault ?? undefined}
          onChange={(qty) => onChange({ qty })}
        />
        {line.units.length > 1 && (
          <NativeSelect
            size="lg"
            aria-label={`${line.name}: unit`}
            value={line.uomId ?? ''}
            data={line.units.map(({ uomId, code }) => ({ value: uomId ?? '', label: code }))}
            onChange={(event) => onChange({ uomId: event.currentTarget.value || null })}
          />
        )}
      </div>
      {fault && <p className={classes.fault}>{fault}</p>}
      {children}
    </li>
  );
}
