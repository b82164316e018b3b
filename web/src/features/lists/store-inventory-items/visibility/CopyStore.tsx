import { Button, Checkbox, Select } from '@mantine/core';
import { useState } from 'react';
import { useSave } from '#/form/useSave';
import { storeItemsApi, storeItemsChanged, type VisibilityRow } from '../api';
import classes from './Visibility.module.css';

interface Props {
  storeId: string;
  stores: readonly VisibilityRow[];
}

/** Copies the items of another store, and optionally its mixes. */
export function CopyStore({ storeId, stores }: Props) {
  const [from, setFrom] = useState<string | null>(null);
  const [mixes, setMixes] = useState(false);
  const saving = useSave({ shows: 'toast' });
  const others = stores.filter((other) => other.storeId !== storeId);
  const chosen = others.find((other) => other.storeId === from);

  async function copy(): Promise<void> {
    if (!chosen) return;
    const copied = { fromStoreId: chosen.storeId, mixes };
    await saving.run(() => storeItemsApi.copyVisibility(storeId, copied), {
      said: `Copied from ${chosen.storeName}${mixes ? ', with its mixes' : ''}`,
      onSaved: () => {
        setFrom(null);
        storeItemsChanged();
      },
    });
  }

  return (
    <fieldset className={classes.copy}>
      <legend>Copy from another store</legend>
      <Select
        aria-label="Copy from another store"
        placeholder="Choose a store"
        data={others.map((other) => ({ value: other.storeId, label: other.storeName }))}
        value={from}
        onChange={setFrom}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Choose no store' }}
      />
      <Checkbox
        label="Also mixes"
        description="How its counts are split over recipes. Mixes of items that it does not split stay."
        checked={mixes}
        onChange={(event) => setMixes(event.currentTarget.checked)}
      />
      <div className={classes.copyAction}>
        <Button
          variant="default"
          disabled={!chosen}
          loading={saving.busy}
          onClick={() => void copy()}
        >
          Copy
        </Button>
        <span>Its group and its choice are taken over at once.</span>
      </div>
    </fieldset>
  );
}
