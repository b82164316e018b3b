import { Button, Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { requestAt } from '#/api/client';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { RefSelect } from '#/form/FieldInput';

interface Props {
  value: string | null;
  onChange(id: string | null): void;
}

/** The store of a file without a column of stores: one that exists, or a new one by its name. */
export function StoreOfFile({ value, onChange }: Props) {
  const { data: stores } = useNames('stores');
  const mayAdd = useCan('stores/storeList', 'create');
  const [adding, setAdding] = useState(false);
  const none = stores?.length === 0;
  if (mayAdd && (adding || none)) {
    return (
      <NewStore
        onMade={(id) => {
          setAdding(false);
          onChange(id);
        }}
        onCancel={none ? null : () => setAdding(false)}
      />
    );
  }
  return (
    <>
      <RefSelect
        label="The whole file belongs to"
        of="stores"
        withAsterisk
        value={value}
        set={onChange}
      />
      {mayAdd && !value && (
        <Button size="compact-sm" variant="subtle" mt={6} onClick={() => setAdding(true)}>
          A new store
        </Button>
      )}
    </>
  );
}

interface NewProps {
  onMade(id: string): void;
  /** Null where there is no other store to choose. */
  onCancel: (() => void) | null;
}

function NewStore({ onMade, onCancel }: NewProps) {
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [error, setError] = useState('');
  const [busy, setBusy] = useState(false);

  async function make(): Promise<void> {
    if (busy) return;
    if (!name.trim()) {
      setError('Enter the name of the store.');
      return;
    }
    setBusy(true);
    setError('');
    try {
      const store = await requestAt<{ id: string }>('POST', '/api/stores/locations', {
        json: { name: name.trim() },
      });
      await queries.invalidateQueries({ queryKey: ['names', 'stores'] });
      onMade(store.id);
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      setError(fields[0]?.message ?? message);
      setBusy(false);
    }
  }

  // Enter makes the store; it would send the form around this field.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && onCancel) onCancel();
    if (event.key !== 'Enter') return;
    event.preventDefault();
    void make();
  };

  return (
    <>
      <TextInput
        label="The whole file belongs to the new store"
        withAsterisk
        placeholder="Its name"
        value={name}
        error={error || undefined}
        maxLength={200}
        autoFocus={onCancel !== null}
        autoComplete="off"
        onChange={(event) => setName(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <Group gap="xs" mt={8}>
        <Button size="compact-sm" loading={busy} onClick={() => void make()}>
          Add store
        </Button>
        {onCancel && (
          <Button size="compact-sm" variant="subtle" onClick={onCancel}>
            Choose one
          </Button>
        )}
      </Group>
    </>
  );
}
