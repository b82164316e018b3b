import { Drawer } from '@mantine/core';
import { useMemo, useRef } from 'react';
import { Link } from 'react-router';
import type { components } from '#/api/schema.gen';
import { mayOpen, useMe } from '#/api/session';
import { to } from '#/paths';
import classes from '#/reports/Drilldown.module.css';
import type { ReportState } from '#/reports/question/useReport';
import { span } from '#/reports/question/weeks';
import { Grid } from '#/table/Grid';
import type { Column } from '#/table/types';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { amount, count, DOT, day, money, plural } from '#/ui/format';
import { sum } from '#/ui/sums';
import textClasses from '#/ui/Text.module.css';

type Schemas = components['schemas'];

interface Props {
  state: ReportState;
  rows: readonly { id: string; name: string; till: Schemas['TillSales'] }[];
  answer: Schemas['TerminalSales'] | undefined;
}

/** A till's sales on a day. */
interface Line {
  key: string;
  storeId: string;
  name: string;
  date: string;
  net: number;
  receipts: number;
  ticket: number | null | undefined;
}

/** The parts of a figure: each till's days, with links to the full day. */
export function TillDrawer({ state, rows, answer }: Props) {
  const me = useMe();
  const grid = useRef(null);
  const last = useRef(state.cell);
  if (state.cell) last.current = state.cell;
  const cell = state.cell ?? last.current;
  const one = cell?.itemId ?? null;
  const lines = useMemo((): Line[] => {
    if (!cell || !answer) return [];
    return rows
      .filter(({ id }) => one === null || id === one)
      .flatMap(({ id, name, till }) =>
        answer.days.flatMap((date, at) => {
          const [net, receipts] = [till.nets[at] ?? 0, till.receipts[at] ?? 0];
          if (date < cell.from || date > cell.to || (net === 0 && receipts === 0)) return [];
          const { storeId } = till;
          return {
            key: `${id} ${date}`,
            storeId,
            name,
            date,
            net,
            receipts,
            ticket: till.tickets[at],
          };
        }),
      )
      .sort((a, b) => b.date.localeCompare(a.date) || b.net - a.net);
  }, [cell, answer, rows, one]);
  const opens = mayOpen(me, 'toolsImportSalesDay');
  const columns: Column<Line>[] = [
    {
      id: 'date',
      label: 'Day',
      value: ({ date }) => day(date),
      cell: ({ storeId, date }) => {
        const [year = '', month = '', dayOf = ''] = date.split('-');
        return opens ? (
          <Link
            className={textClasses.link}
            to={to('toolsImportSalesDay', { storeId, year, month, day: dayOf })}
          >
            {day(date)}
          </Link>
        ) : (
          day(date)
        );
      },
      width: 126,
      primary: true,
      sortable: false,
    },
    {
      id: 'till',
      label: 'Till',
      value: ({ name }) => name,
      phone: 'sub',
      sortable: false,
    },
    {
      id: 'receipts',
      label: 'Receipts',
      value: ({ receipts }) => receipts,
      number: count,
      width: 88,
      phone: 'none',
      sortable: false,
    },
    {
      id: 'ticket',
      label: 'Ticket ₱',
      value: ({ ticket }) => ticket,
      number: amount,
      width: 96,
      phone: 'none',
      sortable: false,
    },
    {
      id: 'net',
      label: 'Net ₱',
      value: ({ net }) => net,
      number: amount,
      width: 118,
      phone: 'end',
      sortable: false,
    },
  ];
  const title = one === null ? 'All tills' : (rows.find(({ id }) => id === one)?.name ?? 'Till');
  return (
    <DrawerFrame
      opened={state.cell !== null}
      title={title}
      size={760}
      onClose={() => state.set({ cell: null })}
    >
      {cell && (
        <Drawer.Body className={classes.body}>
          <p className={classes.caption}>
            <span>{span(cell)}</span>
            <strong className="num">
              {money(sum(lines.map(({ net }) => net)))}
              {DOT}
              {plural(sum(lines.map(({ receipts }) => receipts)), 'receipt')}
            </strong>
          </p>
          <Grid<Line>
            label="Days of this figure"
            rows={lines.map((row) => ({ key: row.key, row }))}
            columns={columns}
            sort={null}
            onSort={() => {}}
            picked={{}}
            phone={state.phone}
            pending={!answer}
            rowLabel={({ name, date }) => `${name} ${day(date)}`}
            grid={grid}
          />
        </Drawer.Body>
      )}
    </DrawerFrame>
  );
}
