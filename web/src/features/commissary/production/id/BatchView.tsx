import { Button, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { useComesWhole, useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { type AddedItem, AddItem } from '#/documents/AddItem';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { OverridesOnPaper } from '#/documents/overrides';
import {
  type Production,
  type ProductionHead,
  productionDef,
  type UsedLine,
} from '#/documents/productions';
import { StateBar } from '#/documents/StateBar';
import { typedNumber, useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
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

/** A batch: output against plan, ingredients, steps. */
export function BatchView({ batch }: { batch: Production }) {
  const kitchens = useNameOf('commissaries');
  const mayEdit = useCan(productionDef.page, 'edit');
  const maySeeLots = useCan(pages.stockLot.can);
  const editing = mayEdit && isOpen(batch);
  const whole = useComesWhole();
  const columns = useMemo(
    () => columnsOf(editing, whole, batch.overrides),
    [editing, whole, batch.overrides],
  );
  const unit = batch.uomCode ?? '';
  const readsAs = (name: string): NumberKind | undefined =>
    name === 'made' ? kindOfUnit(unit) : name === 'batches' ? 'whole' : undefined;

  const number = (text: string, as: NumberKind) =>
    text.trim() === '' ? null : (numberOf(text, as) ?? text);
  const typed = useDraft<ProductionHead, UsedLine>(productionDef, batch, {
    lineOf: (line, model) => ({
      id: line.id,
      qty: typedNumber(model, line.id, 'used', line.used ?? null),
      lot: model.text(line.id, 'lot') ?? line.lot ?? '',
    }),
    // The server refuses invalid text.
    headOf: (typed) =>
      Object.fromEntries(
        Object.entries(typed).map(([name, text]) => {
          const as = readsAs(name);
          return [name, as ? number(String(text), as) : text];
        }),
      ),
    columnOf: (field) => (field === 'qty' ? 'used' : field),
  });
  const { model, problem, dirty, save, saving } = typed;
  const head = typed.head as Partial<Record<HeadField, string>>;
  const add = ({ productId, uomId, qty: used }: AddedItem) =>
    save((lines) => [...lines, { productId, uomId, qty: used }]);

  const saveAndSay = () => void save().then((now) => now && done('Batch saved'));
  const made = head.made === undefined ? batch.made : numberOf(head.made, kindOfUnit(unit));
  const percent = yieldOf(made, batch.planned);
  const saved = (name: HeadField) => {
    const value = batch[name];
    const as = readsAs(name);
    return as && typeof value === 'number' ? showNumber(value, as) : String(value ?? '');
  };
  const setField = (name: HeadField, value: string) =>
    typed.setField(name, value === saved(name) ? undefined : value);
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
            typed.setProblem(null);
            // While it stays open, what is typed during a step waits to be saved.
            if (!isOpen(now)) typed.forget();
          }}
          onRefused={typed.setProblem}
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
          <DraftProblem problem={problem} />
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
              error: faultIn(name) ?? typed.errorOf(name),
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
        errors={typed.errors}
        onSave={saveAndSay}
        empty="Nothing goes into it yet."
      />
      <OverridesOnPaper overrides={batch.overrides} lines={batch.lines} />
      {editing && (
        <div className="no-print">
          <AddItem busy={saving} onAdd={(item) => void add(item)} />
        </div>
      )}
      <LeaveGuard dirty={dirty} what={`batch ${batch.productionNo}`} />
    </DocumentFrame>
  );
}

/** Highlights a yield far below plan. */
function Yield({ percent }: { percent: number }) {
  return <b data-low={percent < 90 || undefined}>{qty(percent)} %</b>;
}

const fieldOf = (reads: NumberKind | undefined, unit: string) =>
  reads ? numberField(reads, reads === 'divisible' ? unit : undefined) : {};
