import { Button, Drawer, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { Dialog } from '#/ui/Dialog';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { plural } from '#/ui/format';
import { type Group, type StoreInventoryItem, storeItemsApi, storeItemsChanged } from '../api';
import { Checklist } from './Checklist';
import classes from './Visibility.module.css';

interface Props {
  group: Group | 'new' | null;
  items: readonly StoreInventoryItem[];
  readOnly: boolean;
  onClose(): void;
}

const NONE: ReadonlySet<string> = new Set();
const LABELS = { name: 'Name', items: 'Items' };

/** The name and the items of a group of stores. */
export function GroupDrawer({ group, items, readOnly, onClose }: Props) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(NONE);
  const [fault, setFault] = useState('');
  const saving = useSave<Group>();
  const { start } = saving;
  const [asked, setAsked] = useState(false);
  const known = group === 'new' ? null : group;

  useEffect(() => {
    setName(known?.name ?? '');
    setChosen(new Set(known?.itemIds));
    setFault('');
    start(known?.revision ?? null);
  }, [known, start]);

  const act = (work: (revision: number | null) => Promise<unknown>, said: string) =>
    void saving.run(work, {
      said,
      onSaved: () => {
        storeItemsChanged();
        onClose();
      },
      refused: ({ fields }) => {
        const at = fields.find(({ field }) => field === 'name');
        if (at) setFault(at.message);
        return at !== undefined;
      },
      onSettled: () => setAsked(false),
    });

  function save(): void {
    if (!name.trim()) {
      setFault('Enter a name.');
      return;
    }
    const itemIds = [...chosen];
    act(
      (revision) =>
        known
          ? storeItemsApi.saveGroup(known.id, { name, itemIds, revision })
          : storeItemsApi.makeGroup({ name, itemIds }),
      known ? 'Group saved' : 'Group created',
    );
  }

  const namesOf = (ids: Iterable<string>) => {
    const wanted = new Set(ids);
    return items.filter(({ id }) => wanted.has(id)).map((item) => item.name);
  };

  return (
    <DrawerFrame
      opened={group !== null}
      title={known ? known.name : 'New group'}
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
              { name, items: namesOf(chosen) },
              { ...theirs, items: namesOf(theirs.itemIds) },
            )
          }
          onTheirs={(theirs) => {
            setName(theirs.name);
            setChosen(new Set(theirs.itemIds));
            saving.setProblem(null);
          }}
        />
        <TextInput
          label="Name"
          required
          value={name}
          error={fault}
          readOnly={readOnly}
          onChange={(event) => {
            setName(event.currentTarget.value);
            setFault('');
          }}
          data-autofocus
        />
        <Checklist items={items} value={chosen} readOnly={readOnly} onChange={setChosen} />
      </Drawer.Body>
      {!readOnly && (
        <footer className={classes.footer}>
          {known && (
            <Button variant="subtle" color="red" onClick={() => setAsked(true)}>
              Delete group
            </Button>
          )}
          <Button ml="auto" loading={saving.busy} onClick={save}>
            {known ? 'Save' : 'Create group'}
          </Button>
        </footer>
      )}
      <Dialog
        opened={asked}
        title={`Delete “${known?.name ?? ''}”?`}
        keep="Keep group"
        confirm="Delete group"
        danger
        busy={saving.busy}
        onConfirm={() =>
          known && void act(() => storeItemsApi.removeGroup(known.id), 'Group deleted')
        }
        onClose={() => setAsked(false)}
      >
        <p>
          {known?.storeIds.length
            ? `${plural(known.storeIds.length, 'store')} will count every item in production, or their own choice.`
            : 'No store is in it.'}
        </p>
      </Dialog>
    </DrawerFrame>
  );
}
