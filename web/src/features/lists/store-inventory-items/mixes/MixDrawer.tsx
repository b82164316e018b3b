import { Button, Drawer, Select, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useNames } from '#/api/names';
import { useSave } from '#/form/useSave';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { inFull, plural } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { StatusPill } from '#/ui/StatusPill';
import { StoreFilter } from '#/ui/StoreFilter';
import { type Split, storeItemsApi, storeItemsChanged } from '../api';
import classes from './MixDrawer.module.css';
import { type SplitInput, splitsOf, sumOf, TOTAL_PERCENT } from './splits';

interface Props {
  item: { itemId: string; name: string; splits: readonly Split[] } | null;
  storeId: string;
  readOnly: boolean;
  onClose(): void;
}

/** How an item's counted quantity is split over recipes, in percent. */
export function MixDrawer({ item, storeId, readOnly, onClose }: Props) {
  const { data: recipes = [] } = useNames('recipes');
  const next = useRef(0);
  const row = (recipeId: string, percent: string): SplitInput => {
    next.current += 1;
    return { key: next.current, recipeId, percent };
  };
  const [rows, setRows] = useState(() =>
    item?.splits.length
      ? item.splits.map(({ recipeId, percent }) => row(recipeId, String(percent)))
      : [row('', '')],
  );
  const [others, setOthers] = useState<string[]>([]);
  const saving = useSave({ shows: 'toast' });
  const splits = splitsOf(rows);
  const sum = sumOf(splits);

  const change = (key: number, to: Partial<SplitInput>) =>
    setRows((now) => now.map((one) => (one.key === key ? { ...one, ...to } : one)));

  async function save(): Promise<void> {
    if (!item) return;
    await saving.run(
      async () => {
        await storeItemsApi.saveMix(storeId, item.itemId, splits);
        if (others.length > 0) await storeItemsApi.saveMixes(others, item.itemId, splits);
      },
      {
        said:
          others.length > 0 ? `Mix saved for ${plural(others.length + 1, 'store')}` : 'Mix saved',
        onSaved: () => {
          storeItemsChanged();
          onClose();
        },
      },
    );
  }

  return (
    <DrawerFrame
      opened={item !== null}
      title={item ? `Mix of ${item.name}` : 'Mix'}
      size={560}
      onClose={onClose}
    >
      <Drawer.Body className={classes.body}>
        {rows.map((one, at) => (
          <div key={one.key} className={classes.row}>
            <Select
              aria-label={`Recipe ${at + 1}`}
              placeholder="Recipe"
              data={recipes
                .filter(({ id }) => id === one.recipeId || !rows.some((r) => r.recipeId === id))
                .map(({ id, name }) => ({ value: id, label: name }))}
              value={one.recipeId || null}
              onChange={(id) => change(one.key, { recipeId: id ?? '' })}
              searchable
              clearable
              readOnly={readOnly}
            />
            <TextInput
              aria-label={`Percent ${at + 1}`}
              {...numberField('percent')}
              rightSection="%"
              value={one.percent}
              onChange={(event) => change(one.key, { percent: event.currentTarget.value })}
              readOnly={readOnly}
            />
            {!readOnly && (
              <button
                type="button"
                className={classes.remove}
                aria-label={`Remove recipe ${at + 1}`}
                onClick={() => setRows((now) => now.filter(({ key }) => key !== one.key))}
              >
                <IconTrash size={17} stroke={1.7} aria-hidden />
              </button>
            )}
          </div>
        ))}
        {!readOnly && (
          <Button
            variant="subtle"
            leftSection={<IconPlus size={15} aria-hidden />}
            onClick={() => setRows((now) => [...now, row('', '')])}
            justify="flex-start"
          >
            Add recipe
          </Button>
        )}
        <p className={classes.sum} role="status">
          Sum <strong className="num">{inFull(sum)}%</strong>
          {splits.length > 0 && sum !== TOTAL_PERCENT && (
            <StatusPill tone="warn">
              {sum < TOTAL_PERCENT
                ? `${inFull(sumOf([{ percent: TOTAL_PERCENT - sum }]))}% not split`
                : 'More than 100%'}
            </StatusPill>
          )}
        </p>
        {!readOnly && (
          <div className={classes.others}>
            <span>Also set for</span>
            <StoreFilter
              value={others}
              onChange={setOthers}
              all="No other store"
              label="Other stores"
            />
          </div>
        )}
      </Drawer.Body>
      {!readOnly && (
        <footer className={classes.footer}>
          <Button ml="auto" loading={saving.busy} onClick={() => void save()}>
            Save mix
          </Button>
        </footer>
      )}
    </DrawerFrame>
  );
}
