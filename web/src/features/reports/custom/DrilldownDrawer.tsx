import { Drawer } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { Link } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import { type PageKey, spec, to } from '#/paths';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { addDays } from '#/ui/dates';
import { MISSING } from '#/ui/format';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Builder.module.css';
import { isKnownBy, within, writeDefinition } from './definition';
import { headOf, LEADS, writer } from './labels';
import type { Picked } from './Table';
import type { Answer, Dataset, Definition, Filter } from './types';
import { IN_ADDRESS } from './useBuilder';

interface Props {
  answer: Answer;
  dataset: Dataset;
  picked: Picked | null;
  onClose(): void;
}

/** A figure's links: the pages of its values, and the same figure in finer detail. */
export function DrilldownDrawer({ answer, dataset, picked, onClose }: Props) {
  const column = picked && picked.column !== null ? answer.columns[picked.column] : undefined;
  const title = picked ? [...picked.row.labels, ...(column?.labels ?? [])].join(', ') || 'All' : '';
  return (
    <DrawerFrame opened={picked !== null} title={title} size={400} onClose={onClose}>
      {picked && <Body answer={answer} dataset={dataset} picked={picked} onClose={onClose} />}
    </DrawerFrame>
  );
}

function Body({ answer, dataset, picked, onClose }: Props & { picked: Picked }) {
  const me = useMe();
  useReturnFocus();
  const column = picked.column === null ? undefined : answer.columns[picked.column];
  const parts = [
    ...answer.rowFields.map((head, at) => ({
      head,
      key: picked.row.keys[at] ?? '',
      label: picked.row.labels[at] ?? '',
    })),
    ...(column
      ? answer.columnFields.map((head, at) => ({
          head,
          key: column.keys[at] ?? '',
          label: column.labels[at] ?? '',
        }))
      : []),
  ];
  const opens = (page: PageKey) => mayOpen(me, page);
  const links = parts.flatMap(({ head, key, label }) => {
    const lead = LEADS[head.leads ?? ''];
    if (!lead || !key || !opens(lead.page)) return [];
    const path = spec(lead.page).path.replace(/:\w+/, encodeURIComponent(key));
    return [{ path, label: lead.label, sub: label }];
  });
  const store = parts.find(({ head }) => head.key === 'store')?.key;
  const date = parts.find(({ head }) => head.key === 'date')?.key;
  if (store && date && SOLD.includes(dataset.key) && opens('toolsImportSalesDay')) {
    const [year = '', month = '', of = ''] = date.split('-');
    links.push({
      path: to('toolsImportSalesDay', { storeId: store, year, month, day: of }),
      label: 'Open the sales of the day',
      sub: '',
    });
  }
  const days = { from: date ?? answer.from, to: date ?? answer.to };
  if (
    dataset.key === 'tenders' &&
    opens('salesTenderReport') &&
    days.to < addDays(days.from, TENDER_DAYS)
  ) {
    links.push({
      path: to('salesTenderReport', null, { ...days, stores: store }),
      label: 'Open the tender report',
      sub: '',
    });
  }
  const values =
    picked.column === null
      ? picked.row.total
      : picked.row.values.slice(picked.column * answer.measures.length);
  const used = parts.map(({ head }) => head.key);
  const figures = answer.measures.map(({ field }) => field);
  const finer = dataset.fields.filter(
    ({ key, row }) => row && !used.includes(key) && isKnownBy(dataset, figures, key),
  );
  const base = answer.definition as unknown as Definition;
  const narrowed: Filter[] = [
    ...(base.filters ?? []).filter(({ op }) => op !== 'atLeast' && op !== 'atMost'),
    ...parts.map(
      ({ head, key, label }): Filter => ({
        field: head.key,
        op: 'is',
        values: [key],
        names: [label],
      }),
    ),
  ];
  const by = (key: string): string =>
    to('reportCustomNew', null, {
      [IN_ADDRESS]: writeDefinition({
        ...base,
        rows: [key],
        columns: [],
        // A total runs along dates only.
        measures: base.measures.map((one) =>
          one.rule === 'running' && !RUNS.includes(key) ? { ...one, rule: 'sum' } : one,
        ),
        filters: narrowed,
        sort: null,
        top: null,
      }),
    });
  return (
    <Drawer.Body className={classes.drill}>
      <dl className={classes.figures}>
        {answer.measures.map((measure, at) => {
          const value = values[at];
          return (
            <div key={`${measure.field}${measure.rule}`}>
              <dt>{headOf(measure)}</dt>
              <dd className="num">
                {value == null ? MISSING : writer(measure)(value)}
                {measure.unit && picked.row.unit ? ` ${picked.row.unit}` : ''}
              </dd>
            </div>
          );
        })}
      </dl>
      {links.length > 0 && (
        <ul className={classes.links} aria-label="Pages">
          {links.map(({ path, label, sub }) => (
            <li key={path}>
              <Link to={path}>
                <span>
                  {label}
                  {sub && <small>{sub}</small>}
                </span>
                <IconArrowRight size={15} aria-hidden />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <h3 className={classes.drillTitle}>What it is made of</h3>
      <ul className={classes.links} aria-label="What it is made of">
        {finer.map(({ key, label }) => (
          <li key={key}>
            <Link to={by(key)} onClick={onClose}>
              <span>By {within(label)}</span>
              <IconArrowRight size={15} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </Drawer.Body>
  );
}

/** The tender report's maximum number of days. */
const TENDER_DAYS = 92;

/** Fields that a total can run along. */
const RUNS = ['date', 'week', 'month', 'quarter', 'year'];

const SOLD = ['sales', 'storeDays', 'receipts', 'tenders', 'rootUse'];
