import { Button, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useComesWhole, useNameOf } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import { documentChanged } from '#/documents/api';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { type Production, productionDef, productionsApi } from '#/documents/productions';
import { StateBar } from '#/documents/StateBar';
import { unsent } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid, useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import { pages, to } from '#/paths';
import { recordPath } from '#/records';
import { DateField } from '#/ui/DateField';
import { day, plural, qty } from '#/ui/format';
import { numberField } from '#/ui/numberField';
import { faultOf, kindOfUnit, type NumberKind, numberOf, showNumber } from '#/ui/numberInput';
import { done } from '#/ui/toast';
import own from '../Batch.module.css';
import { columnsOf, yieldOf } from './columns';

export const back = { to: pages.commissaryProduction.path, label: 'Production' };

const HEAD = [
  ['batches', 'Batches', 90],
  ['made', 'Made', 120],
  ['lot', 'Lot', 160],
  ['expiry', 'Expiry', 140],
  ['plannedDate', 'Planned for', 140],
  ['notes', 'Notes', 240],
] as const;
type HeadField = (typeof HEAD)[number][0];

const isOpen = ({ status }: Pick<Production, 'status'>) => ['draft', 'inProgress'].includes(status);

/** A batch: what it makes against its plan, what goes into it, and its steps. */
export function BatchView({ batch }: { batch: Production }) {
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const kitchens = useNameOf('commissaries');
  const mayEdit = useCan(productionDef.page, 'edit');
  const maySeeLots = useCan(pages.stockLot.can);
  const [head, setHead] = useState<Partial<Record<HeadField, string>>>({});
  const [problem, setProblem] = useState<Problem | null>(null);
  const [saving, setSaving] = useState(false);
  const editing = mayEdit && isOpen(batch);
  const whole = useComesWhole();
  const columns = useMemo(() => columnsOf(editing, whole), [editing, whole]);
  const dirty = model.dirty || Object.keys(head).length > 0;
  const unit = batch.uomCode ?? '';
  const readsAs = (name: string): NumberKind | undefined =>
    name === 'made' ? kindOfUnit(unit) : name === 'batches' ? 'whole' : undefined;

  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const line = at === undefined ? undefined : batch.lines[Number(at)];
      if (line && name) found.set(`${line.id}/${name === 'qty' ? 'used' : name}`, message);
    }
    return found;
  }, [problem, batch.lines]);
  const errorOf = (name: string) =>
    problem?.fields.find(({ field }) => field === name)?.message ?? null;

  /** What was typed into the head, as it is sent; a text that is no number is refused by the server. */
  function changedHead(): object {
    const number = (text: string, as: NumberKind) =>
      text.trim() === '' ? null : (numberOf(text, as) ?? text);
    return Object.fromEntries(
      Object.entries(head).map(([name, text]) => [
        name,
        readsAs(name) ? number(text, readsAs(name) as NumberKind) : text,
      ]),
    );
  }

  async function save(added?: AddedItem): Promise<Production | null> {
    if (!dirty && !added) return batch;
    setSaving(true);
    setProblem(null);
    const settle = model.sending();
    const lines = batch.lines.map((line) => {
      const used = model.number(line.id, 'used', line.used ?? null);
      return {
        id: line.id,
        qty: Number.isNaN(used) ? model.text(line.id, 'used') : used,
        lot: model.text(line.id, 'lot') ?? line.lot ?? '',
      };
    });
    const more = added && { productId: added.productId, uomId: added.uomId, qty: added.qty };
    try {
      const now = await productionsApi.update(batch.id, batch.revision, {
        ...changedHead(),
        ...(model.dirty || more ? { lines: more ? [...lines, more] : lines } : {}),
      });
      documentChanged(productionDef, now);
      settle();
      setHead((typed) => unsent(typed, head));
      return now;
    } catch (error) {
      const refused = Problem.of(error);
      setProblem(refused);
      if (refused.code === 'stale')
        documentChanged(productionDef, refused.extras.current as Production);
      return null;
    } finally {
      setSaving(false);
    }
  }

  const saveAndSay = () => void save().then((now) => now && done('Batch saved'));
  const made = head.made === undefined ? batch.made : numberOf(head.made, kindOfUnit(unit));
  const percent = yieldOf(made, batch.planned);
  const saved = (name: HeadField) => {
    const value = batch[name];
    const as = readsAs(name);
    return as && typeof value === 'number' ? showNumber(value, as) : String(value ?? '');
  };
  function setField(name: HeadField, value: string): void {
    setHead(({ [name]: _, ...others }) =>
      value === saved(name) ? others : { ...others, [name]: value },
    );
  }
  const faultIn = (name: HeadField) => {
    const [typed, as] = [head[name]?.trim(), readsAs(name)];
    return typed && as ? faultOf(typed, as, name === 'made' ? unit : '') : null;
  };
  // Planned batches are started before they are posted.
  const can = batch.can.includes('start')
    ? (['start', ...batch.can.filter((step) => step !== 'start')] as Production['can'])
    : batch.can;
  const product = recordPath('product', batch.productId);
  const recipe = recordPath('recipe', batch.recipeId);
  const makes = product ? <Link to={product}>{batch.productName}</Link> : batch.productName;
  const by = recipe ? <Link to={recipe}>{batch.recipeName}</Link> : batch.recipeName;
  const percentNow = editing || percent === null ? null : <Yield percent={percent} />;
  const lot =
    editing || !batch.lot ? null : maySeeLots ? (
      <Link to={to('stockLot', { lot: batch.lot }, { product: batch.productId })}>{batch.lot}</Link>
    ) : (
      batch.lot
    );

  return (
    <DocumentFrame
      def={productionDef}
      document={batch}
      back={back}
      facts={[
        ['Makes', makes],
        ['Recipe', by],
        ['Commissary', kitchens.get(batch.sourceId ?? '')?.name],
        [
          'Planned',
          `${qty(batch.planned)} ${unit} in ${plural(batch.batches, 'batch', 'batches')}`,
        ],
        ['Made', editing || batch.made === null ? null : `${qty(batch.made)} ${unit}`],
        ['Yield', percentNow],
        ['Lot', lot],
        ['Expiry', editing || !batch.expiry ? null : day(batch.expiry)],
        ['Planned for', editing ? null : day(batch.plannedDate)],
        ['Notes', editing ? null : batch.notes],
      ]}
      actions={
        <StateBar
          def={productionDef}
          document={{ ...batch, can }}
          before={(step) =>
            step === 'cancel' || step === 'reverse' ? Promise.resolve(batch) : save()
          }
          onTaken={(now) => {
            setProblem(null);
            // While it stays open, what was typed during the step waits to be saved.
            if (isOpen(now)) return;
            model.clear();
            setHead({});
          }}
          onRefused={(refused) => {
            setProblem(refused);
            return refused.fields.length > 0;
          }}
          overrides={{
            notEnough:
              'It can be posted all the same, for example when the count is wrong. Say why; the stock goes below zero until it is counted again.',
          }}
          actions={
            editing && (
              <Button variant="default" loading={saving} disabled={!dirty} onClick={saveAndSay}>
                Save
              </Button>
            )
          }
        />
      }
      notices={
        <>
          {problem && (
            <div className={classes.notice} data-tone="danger" role="alert">
              <p>{problem.message}</p>
            </div>
          )}
          {batch.unposted.length > 0 && (
            <div className={classes.notice}>
              <p>
                No stock is booked for {batch.unposted.join(', ')}: no product is linked to{' '}
                {batch.unposted.length === 1 ? 'it' : 'them'}. Add below what was used.
              </p>
            </div>
          )}
        </>
      }
    >
      {editing && (
        <div className={`${classes.fields} no-print`}>
          {HEAD.map(([name, label, width]) => {
            const common = {
              size: 'xs' as const,
              w: width,
              value: head[name] ?? saved(name),
              error: faultIn(name) ?? errorOf(name),
            };
            return name === 'expiry' || name === 'plannedDate' ? (
              <DateField
                key={name}
                {...common}
                label={label}
                onChange={(value) => setField(name, value)}
              />
            ) : (
              <TextInput
                key={name}
                {...common}
                {...fieldOf(readsAs(name), unit)}
                label={name === 'made' ? `Made, ${unit}` : label}
                placeholder={
                  name === 'made'
                    ? qty(batch.planned)
                    : name === 'lot'
                      ? batch.productionNo
                      : undefined
                }
                onChange={(event) => setField(name, event.currentTarget.value)}
              />
            );
          })}
          <div className={own.yield} role="status">
            <span>Yield</span>
            {percent === null ? '–' : <Yield percent={percent} />}
          </div>
        </div>
      )}
      <h2 className={own.heading}>What goes into it</h2>
      <EntryGrid
        label="What goes into it"
        rows={batch.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={model}
        errors={errors}
        onSave={saveAndSay}
        empty="Nothing goes into it yet."
      />
      {editing && (
        <div className="no-print">
          <AddItem busy={saving} onAdd={(item) => void save(item)} />
        </div>
      )}
      <LeaveGuard dirty={dirty} what={`batch ${batch.productionNo}`} />
    </DocumentFrame>
  );
}

/** Much below its plan stands out. */
function Yield({ percent }: { percent: number }) {
  return <b data-low={percent < 90 || undefined}>{qty(percent)} %</b>;
}

const fieldOf = (reads: NumberKind | undefined, unit: string) =>
  reads ? numberField(reads, reads === 'divisible' ? unit : undefined) : {};
