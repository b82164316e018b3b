import { Button, Select, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNames } from '#/api/names';
import { LeaveGuard } from '#/form/LeaveGuard';
import { SaveProblem } from '#/form/SaveProblem';
import { useBaseRecord } from '#/form/useBaseRecord';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { METHODS, methodLabel } from '#/ui/methods';
import { numberField } from '#/ui/numberField';
import { faultOf, type NumberKind, numberOf, showNumber } from '#/ui/numberInput';
import { planChanged, saveRule } from './api';
import classes from './Drp.module.css';
import { FIELDS, type FieldName } from './labels';
import type { Rule } from './wire';

interface Props {
  rule: Rule | 'new' | null;
  /** The scope of a new rule. */
  store: string;
  product: string;
  readOnly: boolean;
  onClose(): void;
}

/** A planning rule: its scope and its settings. Empty fields inherit from a wider rule. */
export function RuleDrawer({ rule, onClose, ...rest }: Props) {
  const { base, onDirty } = useBaseRecord(rule === 'new' ? null : rule);
  return (
    <DrawerFrame
      opened={rule !== null}
      title={rule === 'new' ? 'New rule' : 'Rule'}
      size={440}
      onClose={onClose}
    >
      {rule && (
        <RuleForm
          key={base ? `${base.id}-${base.revision}` : 'new'}
          rule={base}
          onDirty={onDirty}
          onClose={onClose}
          {...rest}
        />
      )}
    </DrawerFrame>
  );
}

type Texts = Record<FieldName, string>;

/** Minimum and maximum are in the product's unit, whatever it is. */
const readsAs = (name: FieldName): NumberKind =>
  name === 'serviceLevel' ? 'percent' : name === 'min' || name === 'max' ? 'divisible' : 'whole';

const textsOf = (rule: Rule | null): Texts =>
  Object.fromEntries(
    FIELDS.map(({ name }) => {
      const value = rule?.[name] ?? null;
      const shown =
        name === 'serviceLevel' && value !== null ? Math.round(value * 1e6) / 1e4 : value;
      return [name, showNumber(shown, readsAs(name))];
    }),
  ) as Texts;

const LABELS: Record<string, string> = {
  ...Object.fromEntries(FIELDS.map(({ name, label }) => [name, label])),
  method: 'Forecast',
};

const shown = (texts: Texts, method: string | null): Record<string, string> => ({
  ...texts,
  method: method ? methodLabel(method) : '',
});

function RuleForm({
  rule,
  store,
  product,
  readOnly,
  onDirty,
  onClose,
}: Omit<Props, 'rule'> & { rule: Rule | null; onDirty(dirty: boolean): void }) {
  const { data: stores = [] } = useNames('stores');
  const { data: categories = [] } = useNames('categories');
  const { data: products = [] } = useNames('products');
  const [scope, setScope] = useState({
    storeId: rule ? rule.storeId : store || null,
    categoryId: rule?.categoryId ?? null,
    productId: rule ? rule.productId : product || null,
  });
  const [method, setMethod] = useState(rule?.method ?? null);
  const [texts, setTexts] = useState<Texts>(() => textsOf(rule));
  const saving = useSave<Rule>({ revision: rule?.revision });
  const dirty =
    method !== (rule?.method ?? null) || JSON.stringify(texts) !== JSON.stringify(textsOf(rule));
  useEffect(() => onDirty(dirty), [dirty, onDirty]);
  const errorOf = (name: string) => saving.errorOf(name) ?? null;
  const value = (name: FieldName) => {
    const text = texts[name].trim();
    if (text === '') return null;
    const read = numberOf(text, readsAs(name));
    if (read === null) return text as unknown as number;
    return name === 'serviceLevel' ? read / 100 : read;
  };

  useEffect(() => {
    const keys = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        document.getElementById('save-rule')?.click();
      }
    };
    addEventListener('keydown', keys);
    return () => removeEventListener('keydown', keys);
  }, []);

  const faultIn = (name: FieldName) =>
    texts[name].trim() === '' ? null : faultOf(texts[name], readsAs(name));

  async function save(): Promise<void> {
    if (FIELDS.some(({ name }) => faultIn(name))) return;
    await saving.run(
      async (revision) => {
        const kept = await saveRule({
          ...scope,
          serviceLevel: value('serviceLevel'),
          min: value('min'),
          max: value('max'),
          reviewDays: value('reviewDays'),
          leadDays: value('leadDays'),
          shelfLifeDays: value('shelfLifeDays'),
          method,
          // Set elsewhere, and kept.
          priority: rule?.priority ?? null,
          percent: rule?.percent ?? null,
          revision,
        });
        await planChanged();
        return kept;
      },
      { said: 'Rule saved', onSaved: onClose },
    );
  }

  const choice = (
    name: keyof typeof scope,
    label: string,
    every: string,
    all: readonly { id: string; name: string }[],
  ) => (
    <Select
      label={label}
      placeholder={every}
      data={all.map((one) => ({ value: one.id, label: one.name }))}
      value={scope[name]}
      onChange={(id) => setScope((now) => ({ ...now, [name]: id }))}
      searchable
      clearable
      limit={60}
      disabled={rule !== null || readOnly}
      error={errorOf(name)}
      nothingFoundMessage="Nothing like that"
    />
  );

  return (
    <div className={classes.rule}>
      <div className={classes.ruleBody}>
        <SaveProblem
          save={saving}
          versions={(theirs) =>
            compare(LABELS, shown(texts, method), shown(textsOf(theirs), theirs.method ?? null))
          }
          onTheirs={(theirs) => {
            setTexts(textsOf(theirs));
            setMethod(theirs.method ?? null);
            saving.setProblem(null);
          }}
        />
        {choice('storeId', 'Store', 'All stores', stores)}
        {scope.productId === null && choice('categoryId', 'Category', 'All categories', categories)}
        {scope.categoryId === null && choice('productId', 'Product', 'All products', products)}
        <div className={classes.ruleFields}>
          {FIELDS.map(({ name, label, unit, hint }) => (
            <TextInput
              key={name}
              label={unit === '%' ? `${label}, %` : label}
              description={hint}
              {...numberField(readsAs(name))}
              placeholder="as a wider rule says"
              value={texts[name]}
              readOnly={readOnly}
              error={faultIn(name) ?? errorOf(name)}
              onChange={(event) => {
                const { value: text } = event.currentTarget;
                setTexts((now) => ({ ...now, [name]: text }));
              }}
            />
          ))}
        </div>
        <Select
          label="Forecast"
          description="The method that forecasts what is used"
          placeholder="as a wider rule says"
          data={[...new Set([...METHODS, ...(method ? [method] : [])])].map((one) => ({
            value: one,
            label: methodLabel(one),
          }))}
          value={method}
          onChange={setMethod}
          error={errorOf('method')}
          readOnly={readOnly}
          clearable={!readOnly}
          clearButtonProps={{ 'aria-label': 'As a wider rule says' }}
        />
      </div>
      {!readOnly && (
        <div className={classes.ruleFoot}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button id="save-rule" loading={saving.busy} onClick={() => void save()}>
            Save rule
          </Button>
        </div>
      )}
      <LeaveGuard dirty={dirty && !saving.busy} what="the rule" />
    </div>
  );
}
