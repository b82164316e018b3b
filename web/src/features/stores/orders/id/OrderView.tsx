import { useMemo, useState } from 'react';
import { type ComesWhole, useComesWhole, useNameOf } from '#/api/names';
import type { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import classes from '#/documents/Document.module.css';
import { DocumentFrame } from '#/documents/DocumentFrame';
import { DraftProblem } from '#/documents/DraftProblem';
import { type Order, type OrderLine, orderDef } from '#/documents/orders';
import { StateBar } from '#/documents/StateBar';
import { WhyButton } from '#/documents/WhyButton';
import { LeaveGuard } from '#/form/LeaveGuard';
import { EntryGrid, useGridModel, useStamp } from '#/grid/EntryGrid';
import { GridModel } from '#/grid/model';
import type { GridColumn } from '#/grid/types';
import { moment, money, qty } from '#/ui/format';
import { useSources } from '../api';
import { withWeekday } from '../NeededDate';
import { amountOf, KitchenHas, lineAmount, useKitchenStock } from './approving';
import { isLate } from './LateNotice';
import { back } from './page';

/** A submitted order: answered line by line while it awaits approval, then followed. */
export function OrderView({ order }: { order: Order }) {
  const model = useGridModel(() => new GridModel());
  useStamp(model);
  const stores = useNameOf('stores');
  const sources = useSources();
  const [problem, setProblem] = useState<Problem | null>(null);
  // An urgent order breaks the cut-off: granting it takes the right to override.
  const mayOverride = useCan(orderDef.page, 'override');
  const mayGrant = !order.urgentReason || mayOverride;
  const submitted = order.status === 'submitted';
  const answers = submitted && order.can.includes('approve') && mayGrant;
  const late = isLate(order, new Date()) && !order.urgentReason;
  const whole = useComesWhole();
  const kitchen = useKitchenStock(order, answers);
  const columns = useMemo(
    () => columnsOf(order, { answers, whole, kitchen, model }),
    [order, answers, whole, kitchen, model],
  );
  const amount = answers ? amountOf(order, model) : order.amount;

  const changed = answers ? order.lines.filter((line) => model.rows().includes(line.id)) : [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the lines that were sent
  const errors = useMemo(() => {
    const found = new Map<string, string>();
    for (const { field, message } of problem?.fields ?? []) {
      const [, at, name] = field.match(/^lines\.(\d+)\.(\w+)$/) ?? [];
      const line = at === undefined ? undefined : changed[Number(at)];
      if (line) found.set(`${line.id}/${name === 'reason' ? 'reason' : 'qtyApproved'}`, message);
    }
    return found;
  }, [problem]);

  const bodyOf = (step: string) =>
    step !== 'approve'
      ? {}
      : {
          lines: changed.map((line) => ({
            id: line.id,
            qtyApproved: model.text(line.id, 'qtyApproved') ?? line.qtyApproved ?? line.qtyOrdered,
            reason: model.text(line.id, 'reason') ?? line.reason ?? undefined,
          })),
        };

  return (
    <DocumentFrame
      def={orderDef}
      document={order}
      back={back}
      facts={[
        ['Store', stores.get(order.storeId ?? '')?.name],
        ['From', sources.nameOf(order.sourceType, order.sourceId)],
        ['Needed on', withWeekday(order.neededDate)],
        ['Submitted', order.submittedAt ? moment(order.submittedAt) : null],
        [answers ? 'Amount, as approved' : 'Amount', amount === null ? null : money(amount)],
        ['Notes', order.notes],
      ]}
      actions={
        <StateBar
          def={orderDef}
          document={order}
          bodyOf={bodyOf}
          hidden={[...(mayGrant ? [] : ['approve']), ...(late ? ['withdraw'] : [])]}
          onTaken={() => model.clear()}
          onRefused={setProblem}
        />
      }
      notices={
        <>
          {problem ? (
            <DraftProblem problem={problem} />
          ) : (
            order.rejectReason && (
              <div className={classes.notice} data-tone="danger">
                <p>Rejected: {order.rejectReason}</p>
              </div>
            )
          )}
          {order.urgentReason && (
            <div className={classes.notice}>
              <p>
                Urgent, asked for after the cut-off: {order.urgentReason}
                {submitted && !mayGrant && ' Approving it takes the right to override.'}
              </p>
            </div>
          )}
          {submitted && late && (order.can as readonly string[]).includes('withdraw') && (
            <div className={classes.notice}>
              <p>The cut-off has passed: it can be rejected, but no longer withdrawn.</p>
            </div>
          )}
        </>
      }
    >
      <EntryGrid
        label="What was ordered"
        rows={order.lines}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        columns={columns}
        model={model}
        errors={errors}
      />
      <LeaveGuard dirty={model.dirty} what={`order ${order.orderNo}`} />
    </DocumentFrame>
  );
}

interface View {
  answers: boolean;
  whole: ComesWhole;
  kitchen: ReturnType<typeof useKitchenStock>;
  model: GridModel;
}

function columnsOf(
  order: Order,
  { answers, whole, kitchen, model }: View,
): GridColumn<OrderLine>[] {
  const figure = (
    id: 'qtyOrdered' | 'qtyDispatched' | 'qtyReceived' | 'qtyShortClosed',
    label: string,
  ): GridColumn<OrderLine> => ({
    id,
    label,
    width: 104,
    right: true,
    phone: 'sub',
    cell: (line) => qty(line[id]),
  });
  const sent = !['submitted', 'rejected', 'cancelled'].includes(order.status);
  const columns: GridColumn<OrderLine>[] = [
    { id: 'name', label: 'Item', primary: true, cell: ({ name }) => name },
    { id: 'sku', label: 'SKU', width: 100, phone: 'none', cell: ({ sku }) => sku ?? '' },
    { id: 'uom', label: 'Unit', width: 70, phone: 'sub', cell: ({ uomCode }) => uomCode },
    {
      id: 'suggested',
      label: 'Suggested',
      width: 96,
      right: true,
      phone: 'none',
      cell: (line) => <WhyButton text={qty(line.qtySuggested)} why={line.why} unit="" />,
    },
    figure('qtyOrdered', 'Ordered'),
    ...(kitchen
      ? [
          {
            id: 'kitchen',
            label: 'Kitchen has',
            width: 104,
            right: true,
            phone: 'sub' as const,
            cell: (line: OrderLine) => (
              <KitchenHas line={line} stock={kitchen.get(line.productId)} />
            ),
          },
        ]
      : []),
    {
      id: 'qtyApproved',
      label: 'Approved',
      width: 104,
      right: true,
      phone: 'sub',
      cell: (line) => (
        <span className={line.qtyApproved !== line.qtyOrdered ? classes.up : undefined}>
          {qty(line.qtyApproved)}
        </span>
      ),
      ...(answers && {
        edit: {
          kind: 'number' as const,
          unit: ({ uomCode }: OrderLine) => uomCode,
          whole: ({ uomId }: OrderLine) => whole(uomId),
          value: (line: OrderLine) => line.qtyApproved ?? line.qtyOrdered,
          check: (value: number | null) =>
            value !== null && value < 0 ? 'Enter zero or more.' : null,
        },
      }),
    },
    {
      id: 'reason',
      label: 'Reason',
      width: 220,
      phone: 'sub',
      cell: ({ reason }) => reason ?? '',
      ...(answers && {
        edit: {
          kind: 'text' as const,
          value: (line: OrderLine) => line.reason ?? null,
          placeholder: () => 'Why it differs',
        },
      }),
    },
  ];
  if (sent) {
    columns.push(
      figure('qtyDispatched', 'Dispatched'),
      figure('qtyReceived', 'Received'),
      figure('qtyShortClosed', 'Closed short'),
    );
  }
  columns.push({
    id: 'price',
    label: 'Price',
    width: 100,
    right: true,
    phone: 'none',
    cell: ({ unitPrice }) => money(unitPrice),
  });
  columns.push({
    id: 'amount',
    label: 'Amount',
    width: 110,
    right: true,
    phone: 'sub',
    cell: (line) => money(lineAmount(line, answers ? model : null)),
  });
  return columns;
}
