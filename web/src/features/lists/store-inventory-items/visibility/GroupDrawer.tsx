import { Button, Drawer, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { plural } from '#/ui/format';
import { done, lastingError } from '#/ui/toast';
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

/** The name and the items of a group of stores. */
export function GroupDrawer({ group, items, readOnly, onClose }: Props) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState(NONE);
  const [fault, setFault] = useState('');
  const [busy, setBusy] = useState(false);
  const [asked, setAsked] = useState(false);
  const known = group === 'new' ? null : group;

  useEffect(() => {
    setName(known?.name ?? '');
    setChosen(new Set(known?.itemIds));
    setFault('');
  }, [known]);

  async function act(what: () => Promise<unknown>, message: string): Promise<void> {
    setBusy(true);
    try {
      await what();
      done(message);
      storeItemsChanged();
      onClose();
    } catch (error) {
      const problem = Problem.of(error);
      const at = problem.fields.find(({ field }) => field === 'name');
      if (at) setFault(at.message);
      else lastingError(problem.message);
    } finally {
      setBusy(false);
      setAsked(false);
    }
  }

  function save(): void {
    if (!name.trim()) {
      setFault('Enter a name.');
      return;
    }
    const itemIds = [...chosen];
    void act(
      () =>
        known
          ? storeItemsApi.saveGroup(known.id, { name, itemIds, revision: known.revision })
          : storeItemsApi.makeGroup({ name, itemIds }),
      known ? 'Group saved' : 'Group created',
    );
  }

  return (
    <DrawerFrame
      opened={group !== null}
      title={known ? known.name : 'New group'}
      size={560}
      onClose={onClose}
    >
      <Drawer.Body className={classes.drawer}>
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
          <Button ml="auto" loading={busy} onClick={save}>
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
        busy={busy}
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
