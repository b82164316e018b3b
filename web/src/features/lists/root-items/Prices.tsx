import { Button, Checkbox, Skeleton, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import type { ViewProps } from '#/lists/define';
import { fromWhen, PriceOrigin } from '#/lists/PriceOrigin';
import { DateField } from '#/ui/DateField';
import { today } from '#/ui/dates';
import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import { money, plural } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import classes from './Prices.module.css';
import {
  type RootItemPrices as Prices,
  type RootItemPrice,
  removePrice,
  setPrice,
  useRootItemPrices,
} from './prices';

type RootItem = components['schemas']['RootItem'];

/** What a root item costs, by day, with where each price comes from. */
export function RootItemPrices({ record, readOnly }: ViewProps<RootItem>) {
  const { data, error } = useRootItemPrices(record.id);
  const [editing, setEditing] = useState<{ price: RootItemPrice | null } | null>(null);
  if (error && !data) return <ErrorBox>{Problem.of(error).message}</ErrorBox>;
  if (!data) return <Skeleton height={120} radius="md" aria-busy />;

  return (
    <section className={classes.prices} aria-label={`Prices of ${record.name}`}>
      <p>Each day is costed at the price in force on it. A new price changes no day before.</p>
      {editing ? (
        <PriceForm
          key={editing.price?.from ?? 'new'}
          id={record.id}
          price={editing.price}
          onClose={() => setEditing(null)}
        />
      ) : (
        !readOnly && (
          <Button size="xs" variant="default" onClick={() => setEditing({ price: null })}>
            Add a price
          </Button>
        )
      )}
      {data.items.length === 0 && <p>No price yet.</p>}
      <ul>
        {data.items.map((price) => (
          <li key={price.from}>
            <span>
              <b className="num">{price.price == null ? 'No price' : money(price.price)}</b>{' '}
              {fromWhen(price)}
            </span>
            <small>
              <PriceOrigin price={price} />
            </small>
            {price.reason && <small>«{price.reason}»</small>}
            {!readOnly && !editing && (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={`Change the price ${fromWhen(price)}`}
                onClick={() => setEditing({ price })}
              >
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface FormProps {
  id: string;
  /** The price to change; null for a new one. */
  price: RootItemPrice | null;
  onClose(): void;
}

/** A price from a day on. Past days need a reason; their weekly snapshots are made again. */
function PriceForm({ id, price, onClose }: FormProps) {
  const now = today();
  const [from, setFrom] = useState(price?.from ?? now);
  const [value, setValue] = useState<number | null>(price?.price ?? null);
  const [none, setNone] = useState(price !== null && price.price == null);
  const [missing, setMissing] = useState(false);
  const [reason, setReason] = useState('');
  const saving = useSave<RootItemPrice>({ revision: price?.revision ?? null });
  const past = from < now;
  const confirmed = { recompute: past, reason: past ? reason : null };
  const outcome = (done: string) => ({
    said: ({ weeks }: Prices) =>
      weeks.length > 0 ? `${done}; ${plural(weeks.length, 'weekly snapshot')} made again` : done,
    onSaved: onClose,
  });
  const save = () => {
    setMissing(!none && value === null);
    if (!none && value === null) return;
    const draft = { price: none ? null : value, ...confirmed };
    void saving.run(
      (revision) => setPrice(id, from, { ...draft, revision }),
      outcome('Price saved'),
    );
  };
  const remove = (kept: RootItemPrice) =>
    void saving.run(() => removePrice(id, kept, confirmed), {
      as: 'remove',
      ...outcome('Price removed'),
    });

  return (
    <form
      className={classes.form}
      noValidate
      aria-label={price ? 'Change a price' : 'Add a price'}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <SaveProblem save={saving} />
      {price?.fromStart ? (
        <p>From the start</p>
      ) : (
        <DateField
          label="From"
          value={from}
          max={now}
          readOnly={price !== null}
          error={saving.errorOf('from')}
          onChange={setFrom}
        />
      )}
      <NumericInput
        label="Price"
        reads="price"
        min={0}
        disabled={none}
        value={none ? null : value}
        error={saving.errorOf('price') ?? (missing && 'Enter a price.')}
        onChange={setValue}
      />
      <Checkbox
        label="It has no price from then on"
        checked={none}
        onChange={(event) => setNone(event.currentTarget.checked)}
      />
      {past && (
        <>
          <NoticeBox>
            This changes food cost since then, up to the next price. Weekly snapshots of these days
            are made again; frozen weeks have to be reopened first.
          </NoticeBox>
          <TextInput
            label="Why past days change"
            required
            value={reason}
            error={saving.errorOf('reason')}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </>
      )}
      <div className={classes.buttons}>
        {price && (
          <Button
            variant="subtle"
            color="red"
            loading={saving.doing === 'remove'}
            disabled={saving.busy}
            onClick={() => remove(price)}
          >
            Remove
          </Button>
        )}
        <Button variant="default" disabled={saving.busy} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.doing === 'save'} disabled={saving.busy}>
          {past ? 'Save and recompute' : 'Save price'}
        </Button>
      </div>
    </form>
  );
}
