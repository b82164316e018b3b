import { Button, Select } from '@mantine/core';
import { IconAdjustments, IconPlus, IconTrash } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useNameOf, useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import type { TableState } from '#/table/useTableState';
import { StoreChoice } from '#/ui/StoreChoice';
import { lastingError, undoable } from '#/ui/toast';
import { deleteRule, PAGE, planChanged, saveRule, useSettings } from './api';
import classes from './Drp.module.css';
import { FIELDS, fromLabel, SETTINGS, scopeLabel, shownValue } from './labels';
import { RuleDrawer } from './RuleDrawer';
import type { Effective, Rule } from './wire';

type Row = Rule & { scope: string };

/** Planning settings by store, category and product. The nearest rule wins, and the screen names it. */
export function SettingsTab({ state }: { state: TableState }) {
  const storeId = state.get('store');
  const productId = state.get('product');
  const query = useSettings(storeId, productId);
  const mayEdit = useCan(PAGE, 'edit');
  const stores = useNameOf('stores');
  const categories = useNameOf('categories');
  const products = useNameOf('products');
  const { data: choices = [] } = useNames('products');
  const [editing, setEditing] = useState<Rule | 'new' | null>(null);
  const rows = useMemo(
    () =>
      query.data?.rules.map((rule) => ({
        ...rule,
        scope: scopeLabel(rule, {
          store: (id) => stores.get(id)?.name ?? '',
          category: (id) => categories.get(id)?.name ?? '',
          product: (id) => products.get(id)?.name ?? '',
        }),
      })),
    [query.data, stores, categories, products],
  );

  async function remove(rule: Row): Promise<void> {
    try {
      await deleteRule(rule.id);
      await planChanged();
      undoable({
        message: 'Rule deleted',
        name: rule.scope,
        records: [rule.id],
        undo: () => saveRule({ ...rule, revision: null }).finally(planChanged),
      });
    } catch (error) {
      lastingError(Problem.of(error).message);
    }
  }

  return (
    <>
      <section className={classes.effective} aria-label="What holds">
        <div className={classes.bar}>
          <span>What holds for</span>
          <StoreChoice value={storeId} onChange={(id) => state.set({ store: id })} />
          <Select
            aria-label="Product"
            placeholder="All products"
            data={choices.map(({ id, name }) => ({ value: id, label: name }))}
            value={productId || null}
            onChange={(id) => state.set({ product: id })}
            searchable
            clearable
            limit={60}
            nothingFoundMessage="No such product"
            w={260}
          />
        </div>
        <dl className={classes.facts}>
          {shownSettings(query.data?.effective).map(({ field, label, value, from, ruleId }) => (
            <div key={field}>
              <dt>{label}</dt>
              <dd>
                {shownValue(field, value)}
                <small>
                  {ruleId ? (
                    <button
                      type="button"
                      onClick={() =>
                        setEditing(query.data?.rules.find(({ id }) => id === ruleId) ?? null)
                      }
                    >
                      from {fromLabel(from, true)}
                    </button>
                  ) : (
                    `from ${fromLabel(from)}`
                  )}
                </small>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <DataTable<Row>
        bare
        id="drp-settings"
        title="Settings"
        one="rule"
        many="rules"
        icon={IconAdjustments}
        source={clientSource({ ...query, data: rows })}
        columns={COLUMNS}
        rowId={({ id }) => id}
        rowLabel={({ scope }) => scope}
        state={state}
        onOpen={(rule) => setEditing(rule)}
        onNew={mayEdit ? () => setEditing('new') : undefined}
        filters={
          mayEdit && (
            <Button
              size="xs"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => setEditing('new')}
            >
              New rule
            </Button>
          )
        }
        rowActions={
          mayEdit
            ? [{ label: 'Delete', icon: IconTrash, danger: true, run: (rule) => void remove(rule) }]
            : undefined
        }
        empty={{
          title: 'No rules yet',
          text: 'Without rules, 95% service and the lead and review days of each store apply.',
        }}
      />
      <RuleDrawer
        rule={editing}
        store={storeId}
        product={productId}
        readOnly={!mayEdit}
        onClose={() => setEditing(null)}
      />
    </>
  );
}

/** The effective settings in rule order; priority and percent only if set. */
const shownSettings = (effective: readonly Effective[] = []) =>
  SETTINGS.flatMap(({ name, label }) => {
    const one = effective.find(({ field }) => field === name);
    const rare = name === 'priority' || name === 'percent';
    if (!one || (rare && one.value === null)) return [];
    return [{ ...one, label, value: name === 'method' ? (one.value ?? 'advanced') : one.value }];
  });

const COLUMNS: readonly Column<Row>[] = [
  { id: 'scope', label: 'For', primary: true, value: ({ scope }) => scope },
  ...FIELDS.map(
    ({ name, label, hint }): Column<Row> => ({
      id: name,
      label,
      title: hint,
      width: 118,
      value: (rule) => rule[name],
      cell: (rule) => shownValue(name, rule[name]),
      align: 'right',
      phone: name === 'serviceLevel' ? 'end' : 'none',
    }),
  ),
  {
    id: 'method',
    label: 'Forecast',
    title: 'The method that forecasts what is used',
    width: 220,
    value: ({ method }) => method,
    cell: ({ method }) => shownValue('method', method),
    phone: 'sub',
  },
];
