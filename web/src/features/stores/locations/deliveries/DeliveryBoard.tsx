import { Button } from '@mantine/core';
import { IconCalendarWeek, IconCheck, IconPlugConnectedX } from '@tabler/icons-react';
import { useState } from 'react';
import { useNameOf, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { useMyStores } from '#/ui/StoreChoice';
import { undoable } from '#/ui/toast';
import { WEEKDAYS } from '#/ui/weekdays';
import { cutoffLabel, type DeliveryRule, setRule, useDeliveryRules } from './api';
import classes from './Deliveries.module.css';
import { RuleDrawer } from './RuleDrawer';

interface Row {
  storeId: string;
  name: string;
  rule: DeliveryRule | null;
}

/** Delivery sources, by kind. */
export function useSourceGroups() {
  const commissaries = useNames('commissaries').data ?? [];
  const warehouses = useNames('warehouses').data ?? [];
  const suppliers = useNames('suppliers').data ?? [];
  const of = (type: string, group: string, names: typeof commissaries) => ({
    group,
    items: names.map(({ id, name }) => ({ value: `${type}:${id}`, label: name })),
  });
  return [
    of('commissary', 'Commissaries', commissaries),
    of('warehouse', 'Warehouses', warehouses),
    of('supplier', 'Suppliers', suppliers),
  ].filter(({ items }) => items.length > 0);
}

/** Every store's delivery days: one row per store and source, one tick per day. */
export function DeliveryBoard() {
  const query = useDeliveryRules();
  // Nothing is brought to a closed store any more.
  const { open: stores } = useMyStores();
  const mayEdit = useCan('stores/storeList', 'edit');
  const groups = useSourceGroups();
  const [editing, setEditing] = useState<{ storeIds: string[]; rule: DeliveryRule | null } | null>(
    null,
  );
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const rules = query.data?.items ?? [];
  const rows: Row[] = stores.flatMap(({ id, name }): Row[] => {
    const own = rules.filter(({ storeId }) => storeId === id);
    return own.length > 0
      ? own.map((rule) => ({ storeId: id, name, rule }))
      : [{ storeId: id, name, rule: null }];
  });
  const nameOf = (rule: DeliveryRule) =>
    groups
      .flatMap(({ items }) => items)
      .find(({ value }) => value === `${rule.sourceType}:${rule.sourceId}`)?.label ?? '–';

  return (
    <Page
      fill
      title="Delivery days"
      aside={query.data && plural(stores.length, 'store')}
      back={<BackLink to={pages.storesLocations.path} label="Locations" />}
      actions={
        mayEdit &&
        picked.size > 0 && (
          <Button onClick={() => setEditing({ storeIds: [...picked], rule: null })}>
            Change {plural(picked.size, 'store')}
          </Button>
        )
      }
    >
      {query.error && !query.data ? (
        <EmptyState
          icon={IconPlugConnectedX}
          role="alert"
          title="The delivery days could not be loaded"
          text={Problem.of(query.error).message}
          action={<Button onClick={() => void query.refetch()}>Try again</Button>}
        />
      ) : query.data && rows.length === 0 ? (
        <EmptyState
          icon={IconCalendarWeek}
          title="No stores yet"
          text="Add a store first; then say when it is delivered."
        />
      ) : (
        <section className={classes.frame} tabIndex={0} aria-label="Delivery days by store">
          <table className={classes.table}>
            <thead>
              <tr>
                <th scope="col">Store</th>
                <th scope="col">From</th>
                {WEEKDAYS.map((name) => (
                  <th key={name} scope="col" className={classes.day}>
                    {name}
                  </th>
                ))}
                <th scope="col">Orders close at</th>
                <th scope="col">Next delivery</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ storeId, name, rule }) => (
                <tr key={`${storeId} ${rule?.sourceId ?? ''}`}>
                  <th scope="row">
                    {mayEdit && (
                      <input
                        type="checkbox"
                        aria-label={`Choose ${name}`}
                        checked={picked.has(storeId)}
                        onChange={(event) => {
                          const next = new Set(picked);
                          if (event.currentTarget.checked) next.add(storeId);
                          else next.delete(storeId);
                          setPicked(next);
                        }}
                      />
                    )}
                    {mayEdit ? (
                      <button
                        type="button"
                        className={classes.name}
                        onClick={() => setEditing({ storeIds: [storeId], rule })}
                      >
                        {name}
                      </button>
                    ) : (
                      name
                    )}
                  </th>
                  <td>{rule ? nameOf(rule) : <span className={classes.none}>any day</span>}</td>
                  {WEEKDAYS.map((weekday, i) => (
                    <td key={weekday} className={classes.day}>
                      <Tick
                        rule={rule}
                        weekday={i + 1}
                        name={`${weekday}, ${name}`}
                        mayEdit={mayEdit}
                      />
                    </td>
                  ))}
                  <td>{rule ? cutoffLabel(rule) : '–'}</td>
                  <td>
                    {rule?.nextDate ? day(rule.nextDate) : '–'}
                    {rule?.nextCutoff && <CutoffCountdown at={rule.nextCutoff} />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {editing && (
        <RuleDrawer
          storeIds={editing.storeIds}
          rule={editing.rule}
          groups={groups}
          onClose={() => {
            setEditing(null);
            setPicked(new Set());
          }}
        />
      )}
    </Page>
  );
}

interface TickProps {
  rule: DeliveryRule | null;
  weekday: number;
  name: string;
  mayEdit: boolean;
}

/** A rule's day; one tap changes it, and Undo reverts that. */
function Tick({ rule, weekday, name, mayEdit }: TickProps) {
  const saving = useSave({ shows: 'toast' });
  const on = rule?.weekdays.includes(weekday) ?? false;
  if (!rule || !mayEdit) return on ? <IconCheck size={16} aria-label="yes" /> : null;
  const last = on && rule.weekdays.length === 1;

  function set(from: DeliveryRule, weekdays: number[]): Promise<DeliveryRule> {
    const { cutoffTime, cutoffDays, skipHolidays, revision } = from;
    return setRule(from, { weekdays, cutoffTime, cutoffDays, skipHolidays, revision });
  }
  return (
    <button
      type="button"
      className={classes.tick}
      aria-pressed={on}
      aria-label={name}
      disabled={saving.busy || last}
      title={
        last
          ? 'A store is delivered on one day at least; remove its delivery days instead.'
          : undefined
      }
      onClick={() => {
        const before = rule.weekdays;
        const next = on ? before.filter((day) => day !== weekday) : [...before, weekday];
        void saving.run(() => set(rule, next), {
          onSaved: (now) =>
            undoable({
              message: `${name}: ${on ? 'no delivery' : 'delivery'}`,
              records: [[rule.storeId, rule.sourceType, rule.sourceId].join(' ')],
              undo: () => set(now, before),
            }),
        });
      }}
    >
      {on && <IconCheck size={16} stroke={2.4} aria-hidden />}
    </button>
  );
}

/** A store's own rules, on its page. */
export function StoreDeliveries({ storeId }: { storeId: string }) {
  const { data } = useDeliveryRules(storeId);
  const groups = useSourceGroups();
  const stores = useNameOf('stores');
  const mayEdit = useCan('stores/storeList', 'edit');
  const [editing, setEditing] = useState<{ rule: DeliveryRule | null } | null>(null);
  const nameOf = (rule: DeliveryRule) =>
    groups
      .flatMap(({ items }) => items)
      .find(({ value }) => value === `${rule.sourceType}:${rule.sourceId}`)?.label ?? '–';
  return (
    <section
      id="store-deliveries"
      tabIndex={-1}
      className={classes.own}
      aria-label={`Deliveries to ${stores.get(storeId)?.name ?? 'this store'}`}
    >
      <h2>Deliveries</h2>
      {data?.items.length === 0 && (
        <p>No delivery days are set for this store: orders can choose any day.</p>
      )}
      <ul>
        {data?.items.map((rule) => (
          <li key={rule.sourceId}>
            <b>{nameOf(rule)}</b>
            <span>{rule.weekdays.map((weekday) => WEEKDAYS[weekday - 1]).join(', ')}</span>
            <span>orders close at {cutoffLabel(rule)}</span>
            {mayEdit && (
              <Button size="compact-sm" variant="default" onClick={() => setEditing({ rule })}>
                Change
              </Button>
            )}
          </li>
        ))}
      </ul>
      {mayEdit && (
        <Button size="xs" variant="default" onClick={() => setEditing({ rule: null })}>
          Add delivery days
        </Button>
      )}
      {editing && (
        <RuleDrawer
          storeIds={[storeId]}
          rule={editing.rule}
          groups={groups}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  );
}
