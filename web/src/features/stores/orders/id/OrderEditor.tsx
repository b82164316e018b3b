import { Button, Menu, TextInput } from '@mantine/core';
import { IconCopy, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { codeKey, scannedLine } from '#/api/barcodes';
import { useNameOf } from '#/api/names';
import { useCan } from '#/api/session';
import { CutoffCountdown } from '#/documents/CutoffCountdown';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { type Order, type OrderHead, type OrderLine, orderDef } from '#/documents/orders';
import { StateBar } from '#/documents/StateBar';
import { useDraft } from '#/documents/useDraft';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid } from '#/grid/EntryGrid';
import { HiddenChanges } from '#/grid/HiddenChanges';
import { useBarcodes } from '#/offline/barcodes';
import { DOT, day, money, plural, qty } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { sum } from '#/ui/sums';
import { done } from '#/ui/toast';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { useSearchKey } from '#/ui/useSearchKey';
import { ordersApi, useGuide, useSources } from '../api';
import { withWeekday } from '../NeededDate';
import {
  type GuideRow,
  guideColumns,
  linesOf,
  orderedOf,
  rowsOf,
  suggestionOf,
  suggestionsToTake,
} from './guideRows';
import { isLateDraft, LateNotice, useNextTruck } from './LateNotice';
import { back } from './page';
import { SuggestionButton } from './SuggestionButton';
import { Templates } from './Templates';

type Shown = 'all' | 'ordered' | 'suggested';

/** A draft: everything the store can order, with suggestions, as one grid. */
export function OrderEditor({ order }: { order: Order }) {
  const guide = useGuide(order.storeId ?? '', order.id);
  const stores = useNameOf('stores');
  const sources = useSources();
  const mayEdit = useCan(orderDef.page, 'edit');
  const [q, setQ] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const box = useRef<HTMLInputElement>(null);

  const rows = useMemo(() => rowsOf(guide.data?.items ?? [], order), [guide.data, order]);
  const typed = useDraft<OrderHead, OrderLine>(orderDef, order, {
    linesOf: (model) => linesOf(rows, model),
    columnOf: (field) => (field === 'uomId' ? 'uom' : 'qty'),
  });
  const { model, save } = typed;
  const notes = (typed.head.notes as string | undefined) ?? order.notes ?? '';
  const columns = useMemo(() => guideColumns(model, rows), [model, rows]);
  const quantity = (row: GuideRow) => orderedOf(row, model);
  const wanted = q.trim().toLowerCase();
  const visible = rows.filter(
    (row) =>
      (!wanted || `${row.item.name} ${row.item.sku ?? ''}`.toLowerCase().includes(wanted)) &&
      (shown === 'all' ||
        (shown === 'ordered' ? quantity(row) > 0 : (suggestionOf(row, model) ?? 0) > 0)),
  );
  const ordered = rows.filter((row) => quantity(row) > 0);
  const suggested = rows.filter(({ item }) => item.suggested != null);
  const differing = suggestionsToTake(rows, model);
  const amount = sum(ordered.map((row) => quantity(row) * (row.price ?? 0)));
  const weight = sum(ordered.map((row) => quantity(row) * row.factor * (row.item.weight ?? 0)));

  const next = useNextTruck(order);
  const late = isLateDraft(order, next, new Date());

  useSearchKey(box);

  const barcodes = useBarcodes();
  const [goTo, setGoTo] = useState<{ row: string; column: string } | null>(null);
  useScanner((code) => {
    const known = barcodes.get(codeKey(code));
    const row = scannedLine(rows.map(scannable), code, barcodes)?.row;
    if (!row) {
      unknownCode(code, { label: 'Find it by name', open: () => box.current?.focus() });
      return;
    }
    setQ('');
    setShown('all');
    const unit = row.item.units.find(({ uomId }) => uomId === known?.uomId);
    // What is ordered already keeps its unit.
    if (unit && quantity(row) === 0 && unit.uomId !== (model.text(row.id, 'uom') ?? row.uomId)) {
      model.set([{ row: row.id, column: 'uom', text: unit.uomId }]);
      model.commit();
    }
    setGoTo({ row: row.id, column: 'qty' });
  });

  const saveAndSay = () => void save().then((now) => now && done('Order saved'));

  /** Saves fields of the head; a refused one is not sent again with the next save. */
  async function saveHead(fields: Record<string, unknown>): Promise<OrderHead | null> {
    const now = await save(undefined, fields);
    if (!now) for (const name of Object.keys(fields)) typed.setField(name, undefined);
    return now;
  }

  function takeSuggestions(): void {
    model.set(differing);
    model.commit();
  }

  return (
    <DocumentFrame
      def={orderDef}
      document={order}
      back={back}
      facts={[
        ['Store', stores.get(order.storeId ?? '')?.name],
        ['From', sources.nameOf(order.sourceType, order.sourceId)],
        ['Needed on', withWeekday(order.neededDate)],
        ['Cut-off', order.cutoffAt ? <CutoffCountdown key="cutoff" at={order.cutoffAt} /> : null],
      ]}
      actions={
        <StateBar
          def={orderDef}
          document={order}
          hidden={late && !order.urgentReason ? ['submit'] : []}
          before={(step) => (step === 'cancel' ? Promise.resolve(order) : save())}
          onTaken={(_, step) => step === 'cancel' && typed.forget()}
          onRefused={(refused) => {
            typed.setProblem(refused);
            return true;
          }}
          actions={
            mayEdit && (
              <Button
                variant="default"
                loading={typed.saving}
                disabled={!typed.dirty}
                onClick={saveAndSay}
              >
                Save draft
              </Button>
            )
          }
        />
      }
      notices={
        <>
          <DraftProblem problem={typed.problem} />
          {mayEdit && late && (
            <LateNotice order={order} next={next} onSave={saveHead} onRefused={typed.setProblem} />
          )}
        </>
      }
    >
      <div className={`${classes.bar} no-print`}>
        <TextInput
          ref={box}
          size="xs"
          w={220}
          placeholder="Find or scan an item"
          aria-label="Find or scan an item"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={q}
          onChange={(event) => setQ(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setQ('');
            if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
            event.preventDefault();
            document.querySelector<HTMLElement>('[data-row="0"][data-column="qty"]')?.focus();
          }}
        />
        <Segments<Shown>
          label="Shown"
          value={shown}
          onChange={setShown}
          options={[
            { value: 'all', label: 'All items' },
            { value: 'suggested', label: 'Suggested' },
            { value: 'ordered', label: 'Ordered' },
          ]}
        />
        <SuggestionButton
          suggested={suggested.length}
          differing={differing.length}
          onTake={takeSuggestions}
        />
        <CopyOrder
          order={order}
          onCopy={(earlier) => {
            const entries = earlier.lines.flatMap((line) => {
              const row = rows.find(({ item }) => item.productId === line.productId);
              return row ? [{ row: row.id, column: 'qty', text: String(line.qtyOrdered) }] : [];
            });
            model.set(entries);
            model.commit();
          }}
        />
        <Templates
          storeId={order.storeId ?? ''}
          items={ordered.map((row) => ({
            productId: row.item.productId,
            uomId: model.text(row.id, 'uom') ?? row.uomId,
            qty: quantity(row),
          }))}
          onUse={(template) => {
            const found = template.items.flatMap((item) => {
              const row = rows.find(({ id }) => id === item.productId);
              return row ? [{ row, item }] : [];
            });
            model.set(
              found.flatMap(({ row, item }) => [
                { row: row.id, column: 'qty', text: String(item.qty) },
                ...(row.item.units.some(({ uomId }) => uomId === item.uomId)
                  ? [{ row: row.id, column: 'uom', text: item.uomId }]
                  : []),
              ]),
            );
            model.commit();
            return found.length;
          }}
        />
        <TextInput
          size="xs"
          w={260}
          placeholder="Notes"
          aria-label="Notes"
          maxLength={2000}
          value={notes}
          error={typed.errorOf('notes')}
          onChange={({ currentTarget: { value } }) =>
            typed.setField('notes', value.trim() === (order.notes ?? '') ? undefined : value)
          }
        />
        <span className={`${classes.totals} ${classes.push}`} aria-live="polite">
          <b>{plural(ordered.length, 'item')}</b>
          {weight > 0 && `${DOT}${qty(Math.round(weight * 10) / 10)} kg`}
          {amount > 0 && `${DOT}${money(amount)}`}
        </span>
      </div>
      <HiddenChanges
        model={model}
        shown={visible.map(({ id }) => id)}
        onShowAll={() => {
          setQ('');
          setShown('all');
        }}
      />
      <EntryGrid
        label="What to order"
        rows={visible}
        rowId={({ id }) => id}
        rowName={({ item }) => item.name}
        columns={columns}
        model={model}
        groupOf={groupOf}
        goTo={goTo}
        errors={typed.errors}
        onSave={saveAndSay}
        empty={
          <p className={classes.totals}>{guide.isPending ? 'Loading…' : 'Nothing matches.'}</p>
        }
      />
      <LeaveGuard dirty={typed.dirty} what={`order ${order.orderNo}`} />
    </DocumentFrame>
  );
}

const scannable = (row: GuideRow) => ({
  row,
  productId: row.item.productId,
  uomId: row.uomId,
  sku: row.item.sku,
});

const groupOf = (row: GuideRow) => ({
  id: row.item.storageRequirementId ?? 'none',
  label: row.item.storageRequirement ?? 'Other storage',
});

/** The store's last orders, as templates. */
function CopyOrder({ order, onCopy }: { order: Order; onCopy(earlier: Order): void }) {
  const { data } = useQuery({
    queryKey: ['stores', 'orders', 'earlier', order.storeId],
    queryFn: ({ signal }) =>
      ordersApi.page({ storeId: order.storeId ?? '', pageSize: 8, sort: '-date' }, signal),
    staleTime: 60_000,
  });
  const earlier = (data?.items ?? []).filter(
    ({ id, lineCount }) => id !== order.id && lineCount > 0,
  );
  if (earlier.length === 0) return null;
  return (
    <Menu position="bottom-start" width={250}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<IconCopy size={15} aria-hidden />}>
          Copy an earlier order
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {earlier.map((one) => (
          <Menu.Item key={one.id} onClick={() => void ordersApi.get(one.id).then(onCopy)}>
            {day(one.neededDate)}
            {DOT}
            {plural(one.lineCount, 'item')}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
