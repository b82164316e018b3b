import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Name, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { parseDecimal, qty } from '#/ui/format';
import { done, failed } from '#/ui/toast';
import classes from './AdjustDialog.module.css';
import { KEY, type PlaceKind, type Product, productsApi, productsChanged, show } from './api';
import { useUnitName } from './names';
import { kindOf } from './places';
import { SAYS, STAYS } from './words';

interface Props {
  product: Product;
  onClose(): void;
}

/** How much there is now; the difference is posted to the ledger. What is no number is ignored. */
export function AdjustDialog({ product, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [place, setPlace] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);
  const unit = useUnitName()(product.baseUom);
  const places = usePlaces();
  const stock = useQuery({
    queryKey: [...KEY, 'stock', product.id],
    queryFn: ({ signal }) => productsApi.stock(product.id, signal),
  });

  const now = stock.data?.quantity ?? product.quantity;
  const quantity = parseDecimal(typed);

  async function send(): Promise<void> {
    if (busy) return;
    if (quantity === null) {
      onClose();
      return;
    }
    setBusy(true);
    setWrong(null);
    try {
      const { product: saved } = await productsApi.adjust(product.id, {
        quantity,
        reason: reason.trim() || undefined,
        ...placeOf(place),
      });
      show(saved);
      done(SAYS.updated, STAYS);
      productsChanged();
      onClose();
    } catch (error) {
      const problem = Problem.of(error);
      failed(SAYS.notUpdated, STAYS);
      setWrong(problem.fields[0]?.message ?? problem.message);
      setBusy(false);
    }
  }

  return (
    <Dialog
      opened
      title="Enter quantity"
      keep="Cancel"
      confirm="Adjust quantity"
      busy={busy}
      onConfirm={() => void send()}
      onClose={onClose}
    >
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p className={classes.name}>{product.name}</p>
        {wrong && <ErrorBox>{wrong}</ErrorBox>}
        <TextInput
          label="Quantity"
          description={`On hand now: ${qty(now)} ${unit}`.trim()}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          value={typed}
          rightSection={unit && <span className={classes.unit}>{unit}</span>}
          rightSectionWidth={24 + unit.length * 7}
          classNames={{ input: 'num' }}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Outcome typed={typed} quantity={quantity} now={now} unit={unit} />
        {places.many && (
          <Select
            label="Place"
            description="Where the difference is posted."
            placeholder="Default commissary"
            data={places.groups}
            value={place}
            searchable
            openOnFocus={false}
            clearable
            clearButtonProps={{ 'aria-label': 'Default commissary' }}
            onChange={setPlace}
          />
        )}
        <TextInput
          label="Reason"
          maxLength={200}
          autoComplete="off"
          placeholder="Counted again, damaged, found …"
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

/** Where stock can lie that counts to a product, in groups. */
function usePlaces() {
  const { data: commissaries = [] } = useNames('commissaries');
  const { data: warehouses = [] } = useNames('warehouses');
  const { data: colds = [] } = useNames('cold-storages');
  const all: { kind: PlaceKind; names: readonly Name[] }[] = [
    { kind: 'commissary', names: commissaries },
    { kind: 'warehouse', names: warehouses },
    { kind: 'coldStorage', names: colds },
  ];
  const groups = all
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => ({
      group: kindOf(kind),
      items: names.map(({ id, name }) => ({ value: `${kind}:${id}`, label: name })),
    }));
  return { groups, many: groups.flatMap(({ items }) => items).length > 1 };
}

function placeOf(place: string | null): { placeKind?: PlaceKind; placeId?: string } {
  const [placeKind, placeId] = place?.split(':') ?? [];
  return placeKind && placeId ? { placeKind: placeKind as PlaceKind, placeId } : {};
}

interface OutcomeProps {
  typed: string;
  quantity: number | null;
  now: number;
  unit: string;
}

/** What will be posted, before it is. */
function Outcome({ typed, quantity, now, unit }: OutcomeProps) {
  let words = 'The difference is posted to the stock ledger.';
  if (quantity !== null) {
    const change = Math.round((quantity - now) * 1e6) / 1e6;
    const by = `${change > 0 ? '+' : ''}${qty(change)} ${unit}`.trim();
    words = change === 0 ? 'Nothing changes.' : `${by} will be posted.`;
  } else if (typed.trim()) {
    words = 'This is no number, so nothing will be posted.';
  }
  return (
    <p className={`${classes.outcome} num`} aria-live="polite">
      {words}
    </p>
  );
}
