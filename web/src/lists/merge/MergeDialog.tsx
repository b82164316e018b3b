import { Button, Group, Modal } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Problem } from '#/api/problem';
import { RefSelect } from '#/form/FieldInput';
import type { Saved } from '#/form/useRecordForm';
import { confirmKeys } from '#/ui/confirmKeys';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, money, plural } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { done, lastingError } from '#/ui/toast';
import { useReturnFocus } from '#/ui/useReturnFocus';
import type { ListApi } from '../api';
import type { ListDef, NameOf } from '../define';
import { fieldsFor } from '../parents';
import { usesOf } from '../uses/api';
import { CompareTable } from './CompareTable';
import { chosenChanges, defaultChoices, differences, summedFields } from './choices';
import classes from './MergeDialog.module.css';
import { useMerge } from './useMerge';

interface Props<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  /** The records to merge; for a single one the dialog asks for the target. */
  records: readonly T[];
  rows: readonly (T | undefined)[];
  label(record: T): string;
  nameOf: NameOf;
  changed(): void;
  onDone(): void;
  onClose(): void;
}

/** Merges records: which stays, which values it keeps, what moves to it. */
export function MergeDialog<T extends Saved>(props: Props<T>) {
  useReturnFocus();
  const { def, api, label, nameOf, changed, onDone, onClose } = props;
  const alone = props.records.length === 1;
  const [other, setOther] = useState<string | null>(null);
  const into = useQuery({
    queryKey: ['lists', def.slug, 'one', other],
    queryFn: ({ signal }) => api.get(other ?? '', signal),
    enabled: other !== null,
  });
  const records = useMemo(
    () => (into.data && other ? [...props.records, into.data] : props.records),
    [props.records, into.data, other],
  );
  const [chosen, setChosen] = useState<number | null>(null);
  // A single record is merged into the chosen one; of several the first stays by default.
  const stays = chosen ?? (alone ? 1 : 0);
  const fields = useMemo(() => fieldsFor(def, props.rows, null), [def, props.rows]);
  const compared = useMemo(
    () => differences(fields, records, def.compares),
    [fields, records, def.compares],
  );
  const [picked, setPicked] = useState<Readonly<Record<string, number>>>({});
  const choice = useMemo(
    () => ({ ...defaultChoices(compared, stays), ...picked }),
    [compared, stays, picked],
  );
  const uses = useQueries({
    queries: records.map(({ id }) => ({
      queryKey: ['usedBy', def.slug, id],
      queryFn: () => usesOf(api.base, id),
      staleTime: 0,
    })),
  });
  const { busy, problem, merge } = useMerge(api);
  const added = useMemo(() => summedFields(fields, records), [fields, records]);
  const staying = records[stays];
  const refused =
    staying &&
    records
      .filter((record) => record !== staying)
      .map((record) => def.unmergeable?.(record, staying) ?? null)
      .find((why) => why !== null);
  const ready = records.length > 1 && staying !== undefined && !refused;
  const [first] = props.records;
  const fitting = useMemo(() => {
    if (!alone || !first || !def.unmergeable) return undefined;
    const found = props.rows.filter(
      (row) => row && !def.heading?.(row) && def.unmergeable?.(first, row) === null,
    );
    return new Set(found.map((row) => row?.id ?? ''));
  }, [alone, first, def, props.rows]);

  const moving = new Map<string, number>();
  const behind = new Map<string, number>();
  uses.forEach(({ data }, i) => {
    if (i === stays) return;
    for (const use of data?.uses ?? []) {
      const counted = (def.moves?.(use) ?? true) ? moving : behind;
      counted.set(use.label, (counted.get(use.label) ?? 0) + use.count);
    }
  });

  async function go(): Promise<void> {
    const record = records[stays];
    if (!record) return;
    const others = records.filter((_, i) => i !== stays);
    const result = await merge(record, others, chosenChanges(compared, stays, choice));
    changed();
    if (!result) return;
    const moved = result.moved.map((use) => `${count(use.count)} ${use.label}`).join(', ');
    done(
      `${plural(result.merged + 1, def.one, def.many)} merged${moved ? `; ${moved} moved` : ''}`,
    );
    if (result.refused)
      lastingError(`Merged, but one value could not be saved: ${result.refused.message}`);
    onDone();
  }

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: ready && !busy ? () => void go() : null, danger: true })}
      title={alone ? `Merge “${label(props.records[0] as T)}”` : `Merge ${def.many}`}
      size={Math.min(1040, 420 + records.length * 170)}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {(problem ?? into.error) && (
        <ErrorBox focus>{Problem.of(problem ?? into.error).message}</ErrorBox>
      )}
      {alone && (
        <div className={classes.other}>
          <RefSelect
            of={def.slug}
            label={`Merge with which ${def.one}?`}
            value={other}
            without={props.records[0]?.id}
            only={fitting}
            set={(id) => {
              setOther(id);
              setPicked({});
            }}
          />
        </div>
      )}
      {refused && <ErrorBox>{refused}</ErrorBox>}
      {ready && (
        <>
          <p className={textClasses.dialogText}>
            {alone
              ? `Choose which ${def.one} stays and what it keeps of the other.`
              : `Choose the ${def.one} that stays and what it keeps of the others.`}
          </p>
          <CompareTable
            records={records}
            compared={compared}
            stays={stays}
            choice={choice}
            label={label}
            nameOf={nameOf}
            onStay={(i) => {
              setChosen(i);
              setPicked({});
            }}
            onPick={(name, i) => setPicked({ ...picked, [name]: i })}
          />
          {added.map(({ field, values, sum }) => (
            <p key={field.name} className={`${classes.sum} num`}>
              {field.label}:{' '}
              {records.map((record, i) => `${label(record)} ${money(values[i])}`).join(' + ')} ={' '}
              <strong>{money(sum)}</strong>
            </p>
          ))}
          <div className={classes.moves}>
            <h3>What moves over</h3>
            {uses.some(({ isPending }) => isPending) ? (
              <p>Counting…</p>
            ) : moving.size === 0 ? (
              <p>
                {behind.size === 0 ? 'Nothing uses ' : 'No other record uses '}
                {records.length === 2 ? 'the other one' : 'the others'}.
              </p>
            ) : (
              <Counts of={moving} />
            )}
            {behind.size > 0 && (
              <>
                <h3>What stays as it is</h3>
                <Counts of={behind} />
              </>
            )}
            <p>
              {def.merged ??
                (records.length === 2
                  ? 'The other one is deleted. This can’t be undone.'
                  : 'The others are deleted. This can’t be undone.')}
            </p>
          </div>
        </>
      )}
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose}>
          Keep {records.length > 2 ? 'them all' : 'both'}
        </Button>
        <Button color="red" loading={busy} disabled={!ready} onClick={() => void go()}>
          Merge {def.many}
        </Button>
      </Group>
    </Modal>
  );
}

function Counts({ of }: { of: ReadonlyMap<string, number> }) {
  return (
    <ul>
      {[...of].map(([name, n]) => (
        <li key={name}>
          <span className="num">{count(n)}</span> {name}
        </li>
      ))}
    </ul>
  );
}
