import { Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type Name, useComesWhole, useNames } from '#/api/names';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { qty } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { kindOfUnit } from '#/ui/numberInput';
import { failed } from '#/ui/toast';
import classes from './AdjustDialog.module.css';
import { adjustmentOf, type Place, qtyAt, type StockByPlace } from './adjustment';
import {
  KEY,
  type PlaceKind,
  type Product,
  productsApi,
  productsChanged,
  updateCache,
} from './api';
import { MESSAGES, TOAST_MS } from './messages';
import { useUnitName } from './names';
import { countsToQuantity, placeKindName } from './places';

interface Props {
  product: Product;
  onClose(): void;
}

/** Sets the quantity at a place or in total; the difference is posted to the ledger. */
export function AdjustDialog({ product, onClose }: Props) {
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const saving = useSave();
  const { problem, errorOf } = saving;
  // Errors are shown on blur, not while typing.
  const [left, setLeft] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const unit = useUnitName()(product.baseUom);
  const whole = useComesWhole()(product.baseUom);
  const places = usePlaces();
  const stock = useQuery({
    queryKey: [...KEY, 'stock', product.id],
    queryFn: ({ signal }) => productsApi.stock(product.id, signal),
  });

  const place = places.all.find((one) => keyOf(one) === chosen) ?? null;
  const usual = stock.data?.defaultPlace;
  const byPlace: StockByPlace = {
    total: stock.data?.quantity ?? product.quantity,
    places: (stock.data?.places ?? []).filter(({ placeKind }) => countsToQuantity(placeKind)),
    defaultPlace: usual
      ? { kind: usual.placeKind, id: usual.placeId, name: usual.placeName }
      : null,
  };
  const found = adjustmentOf(typed, byPlace, place, unit, whole);
  const now = place ? qtyAt(byPlace, place) : byPlace.total;

  async function send(): Promise<void> {
    if (saving.busy) return;
    saving.setProblem(null);
    setLeft(true);
    if (found.quantity === null) {
      field.current?.focus();
      return;
    }
    const { quantity } = found;
    await saving.run(
      () =>
        productsApi.adjust(product.id, {
          quantity,
          reason: reason.trim() || undefined,
          ...(place && { placeKind: place.kind, placeId: place.id }),
        }),
      {
        said: MESSAGES.updated,
        stays: TOAST_MS,
        onSaved: ({ product: saved }) => {
          updateCache(saved);
          productsChanged();
          onClose();
        },
        refused: () => {
          failed(MESSAGES.notUpdated, TOAST_MS);
          void stock.refetch();
          field.current?.focus();
        },
      },
    );
  }

  const wrong = found.wrong ?? (typed.trim() ? null : 'Enter how much there is.');
  return (
    <Dialog
      opened
      title="Enter quantity"
      keep="Cancel"
      confirm="Adjust quantity"
      busy={saving.busy}
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
        {problem && problem.fields.length === 0 && <ErrorBox>{problem.message}</ErrorBox>}
        {places.many && (
          <Select
            label="Place"
            description="Choose the place you counted, or leave it empty to enter the total."
            placeholder="All places together"
            data={places.groups}
            value={chosen}
            searchable
            openOnFocus={false}
            clearable
            clearButtonProps={{ 'aria-label': 'All places together' }}
            error={errorOf('placeId') ?? errorOf('placeKind')}
            onChange={(next) => {
              setChosen(next);
              saving.setProblem(null);
            }}
          />
        )}
        <TextInput
          ref={field}
          label={place ? `Quantity at ${place.name}` : 'Quantity'}
          description={`${place ? 'There' : places.many ? 'In all places' : 'On hand'} now: ${qty(now)} ${unit}`.trim()}
          {...numberField(kindOfUnit(unit, whole), unit)}
          data-autofocus
          value={typed}
          rightSection={unit && <span className={classes.unit}>{unit}</span>}
          rightSectionWidth={24 + unit.length * 7}
          classNames={{ input: 'num' }}
          error={errorOf('quantity') ?? (left ? wrong : null)}
          onBlur={() => setLeft(Boolean(typed.trim()))}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            saving.setProblem(null);
            setLeft(false);
          }}
        />
        <div className={`${classes.outcome} num`} aria-live="polite">
          {found.lines.length === 0 && <p>The difference is added to the stock movements.</p>}
          {found.lines.map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
        <TextInput
          label="Reason"
          maxLength={200}
          autoComplete="off"
          placeholder="Counted again, damaged, found …"
          error={errorOf('reason')}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}

const keyOf = ({ kind, id }: Place) => `${kind}:${id}`;

/** The places whose stock counts towards a product's quantity, grouped. */
function usePlaces() {
  const { data: commissaries = [] } = useNames('commissaries');
  const { data: warehouses = [] } = useNames('warehouses');
  const { data: colds = [] } = useNames('cold-storages');
  const kinds: { kind: PlaceKind; names: readonly Name[] }[] = [
    { kind: 'commissary', names: commissaries },
    { kind: 'warehouse', names: warehouses },
    { kind: 'coldStorage', names: colds },
  ];
  const groups = kinds
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => ({
      group: placeKindName(kind),
      items: names.map(({ id, name }) => ({ value: keyOf({ kind, id, name }), label: name })),
    }));
  const all = kinds.flatMap(({ kind, names }) =>
    names.map(({ id, name }): Place => ({ kind, id, name })),
  );
  return { all, groups, many: all.length > 1 };
}
