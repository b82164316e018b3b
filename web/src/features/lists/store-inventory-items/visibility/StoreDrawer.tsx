import { Button, Drawer, Radio, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import {
  type Group,
  KEY,
  type StoreInventoryItem,
  storeItemsApi,
  storeItemsChanged,
  type Visibility,
  type VisibilityRow,
} from '../api';
import { Checklist } from './Checklist';
import { CopyStore } from './CopyStore';
import classes from './Visibility.module.css';

interface Props {
  store: VisibilityRow | null;
  stores: readonly VisibilityRow[];
  groups: readonly Group[];
  items: readonly StoreInventoryItem[];
  readOnly: boolean;
  onClose(): void;
}

const NONE: ReadonlySet<string> = new Set();
const LABELS = { own: 'Its own choice', items: 'Items' };

/** What one store counts: its group's items, or its own choice. */
export function StoreDrawer({ store, stores, groups, items, readOnly, onClose }: Props) {
  const id = store?.storeId ?? '';
  const one = useQuery({
    queryKey: [...KEY, 'visibility', id],
    queryFn: ({ signal }) => storeItemsApi.visibility(id, signal),
    enabled: id !== '',
  });
  const [own, setOwn] = useState(false);
  const [chosen, setChosen] = useState(NONE);
  const saving = useSave<Visibility>();
  const found = one.data;
  const group = groups.find((one) => one.id === store?.groupId);

  const shownIn = (visibility: Visibility, of: Group | undefined) =>
    new Set(visibility.itemIds ?? of?.itemIds ?? items.map((item) => item.id));

  // biome-ignore lint/correctness/useExhaustiveDependencies: a refetch must not reset the selection
  useEffect(() => {
    if (!found) return;
    setOwn(found.itemIds !== null);
    setChosen(shownIn(found, group));
    saving.start(found.revision);
  }, [found]);

  const save = () =>
    saving.run(
      (revision) =>
        storeItemsApi.saveVisibility(id, {
          itemIds: own ? [...chosen] : null,
          groupId: found?.groupId,
          revision: revision ?? undefined,
        }),
      {
        said: 'Visibility saved',
        onSaved: () => {
          storeItemsChanged();
          onClose();
        },
      },
    );
  const namesOf = (ids: ReadonlySet<string>) =>
    items.filter((item) => ids.has(item.id)).map(({ name }) => name);
  const shown = (isOwn: boolean, ids: ReadonlySet<string>) => ({
    own: isOwn,
    items: isOwn ? namesOf(ids) : [],
  });

  return (
    <DrawerFrame
      opened={store !== null}
      title={store ? `What ${store.storeName} counts` : 'What a store counts'}
      size={560}
      onClose={onClose}
    >
      <Drawer.Body className={classes.drawer}>
        <SaveProblem
          save={saving}
          of="all"
          versions={(theirs) =>
            compare(
              LABELS,
              shown(own, chosen),
              shown(theirs.itemIds !== null, new Set(theirs.itemIds)),
            )
          }
          onTheirs={(theirs) => {
            setOwn(theirs.itemIds !== null);
            setChosen(shownIn(theirs, group));
            saving.setProblem(null);
          }}
        />
        {one.error ? (
          <p role="alert">{Problem.of(one.error).message}</p>
        ) : !found ? (
          <Skeleton height={200} />
        ) : (
          <>
            <Radio.Group
              value={own ? 'own' : 'group'}
              onChange={(value) => setOwn(value === 'own')}
              readOnly={readOnly}
              aria-label="Which items"
            >
              <Stack gap="xs">
                <Radio
                  value="group"
                  disabled={readOnly}
                  label={group ? `The items of “${group.name}”` : 'Every item in production'}
                />
                <Radio value="own" disabled={readOnly} label="Its own choice" />
              </Stack>
            </Radio.Group>
            {!readOnly && <CopyStore key={id} storeId={id} stores={stores} />}
            {own && (
              <Checklist items={items} value={chosen} readOnly={readOnly} onChange={setChosen} />
            )}
          </>
        )}
      </Drawer.Body>
      {!readOnly && (
        <footer className={classes.footer}>
          <Button ml="auto" loading={saving.busy} disabled={!found} onClick={() => void save()}>
            Save
          </Button>
        </footer>
      )}
    </DrawerFrame>
  );
}
