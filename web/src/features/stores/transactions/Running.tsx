import { Select } from '@mantine/core';
import { IconPackage } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { useNames } from '#/api/names';
import type { By } from '#/stock/ledger/api';
import { LedgerPanel } from '#/stock/ledger/LedgerPanel';
import { useTableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StoreChoice, usePlace } from '#/ui/StoreChoice';
import { useCounted, useRootsOf } from './api';
import classes from './Running.module.css';

interface Props {
  storeId: string;
  onStore(id: string): void;
  above: ReactNode;
}

const CHOICES = [
  { value: 'item', label: 'Counted items', one: 'counted item' },
  { value: 'root', label: 'Root items', one: 'root item' },
  { value: 'product', label: 'Products', one: 'product' },
] as const;

type Choice = (typeof CHOICES)[number]['value'];

/** Clears the previous choice. */
const NONE = { item: null, root: null, product: null, of: null };

/** One item's movements in a store, with the balance after each. */
export function Running({ storeId, onStore, above }: Props) {
  const state = useTableState();
  const place = usePlace(storeId);
  const choice: Choice = CHOICES.find(({ value }) => value === state.get('of'))?.value ?? 'item';
  const chosen = state.get(choice);
  const roots = useRootsOf(choice === 'product' ? chosen : '');
  const root = roots.data?.find(({ id }) => id === state.get('root')) ?? roots.data?.[0];
  const by: By = choice === 'item' ? 'items' : 'rootItems';
  const id = choice === 'product' ? (root?.id ?? '') : chosen;
  const options = useOptions(storeId, choice);
  const one = CHOICES.find(({ value }) => value === choice)?.one ?? '';
  return (
    <Page
      fill
      title="Store Transactions"
      place={place}
      aside={options.find(({ value }) => value === chosen)?.label}
    >
      {above}
      <div className={`${classes.tools} no-print`}>
        <StoreChoice value={storeId} onChange={onStore} />
        <Segments<Choice>
          label="Stock of"
          value={choice}
          options={CHOICES.map(({ value, label }) => ({ value, label }))}
          onChange={(next) => state.set({ ...NONE, of: next === 'item' ? null : next })}
        />
        <Select
          aria-label={one.charAt(0).toUpperCase() + one.slice(1)}
          placeholder={`Choose a ${one}`}
          data={options}
          value={chosen || null}
          onChange={(next) => state.set({ [choice]: next }, true)}
          searchable
          limit={80}
          w={300}
          nothingFoundMessage={`No such ${one}`}
        />
        {choice === 'product' && roots.data && roots.data.length > 1 && (
          <Segments
            label="Root item"
            value={id}
            options={roots.data.map(({ id: value, name }) => ({ value, label: name }))}
            onChange={(next) => state.set({ root: next })}
          />
        )}
      </div>
      {id ? (
        <section className={classes.panel} aria-label="Running stock">
          <LedgerPanel key={`${storeId} ${id}`} storeId={storeId} by={by} id={id} state={state} />
        </section>
      ) : choice === 'product' && chosen && roots.data ? (
        <EmptyState
          icon={IconPackage}
          title="This product has no root item"
          text="Stores count and use root items. Say which root items are in the product, on its page."
        />
      ) : (
        <EmptyState
          icon={IconPackage}
          title={`Choose a ${one}`}
          text="Then every movement, count and day of sales of it shows here, with the stock after each."
        />
      )}
    </Page>
  );
}

/** The options: a store's count items, their root items, or any product. */
function useOptions(storeId: string, choice: Choice) {
  const counted = useCounted(
    storeId,
    choice === 'item' ? 'items' : 'rootItems',
    choice !== 'product',
  );
  const products = useNames('products', choice === 'product');
  const found = choice === 'product' ? products.data : counted.data?.items;
  return useMemo(
    () =>
      (found ?? []).map(({ id, name, code }) => ({
        value: id,
        label: code ? `${name} (${code})` : name,
      })),
    [found],
  );
}
