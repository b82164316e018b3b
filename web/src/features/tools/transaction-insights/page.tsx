import { ActionIcon, Button, NativeSelect, Skeleton, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCalendarOff,
  IconPrinter,
  IconReceiptOff,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { spec, to } from '#/paths';
import { RangePicker } from '#/reports/question/RangePicker';
import { writeRange } from '#/reports/question/ranges';
import { type ReportState, useReport } from '#/reports/question/useReport';
import { Toolbar } from '#/table/Toolbar';
import { DateRange } from '#/ui/DateRange';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StoreFilter } from '#/ui/StoreFilter';
import { type Asked, exportHref, type Insights, type Told, useInsights } from './api';
import { Breakdown } from './Breakdown';
import { Figures } from './Figures';
import { Heat } from './Heat';
import classes from './Insights.module.css';
import { KeptMenu } from './KeptMenu';
import { Notes } from './Notes';
import { AGAINST, againstOf, DAYPARTS, daypartLabel } from './question';
import { Sets } from './Sets';
import { Sizes } from './Sizes';
import { Work } from './Work';

const USUAL = 'last-4-weeks';

const PARTS = [
  { value: '', label: 'Whole day' },
  ...DAYPARTS.map(({ value, label }) => ({ value: value as string, label })),
];

/** Ticket analysis: size, time of day, items bought together. */
export default function TransactionInsightsPage() {
  const state = useReport(USUAL);
  const asked = askedOf(state);
  const order = state.get('order') === 'count' ? 'count' : 'lift';
  const query = useInsights(asked, order);
  const { data: told } = query;
  const figures = told?.answer?.figures;

  return (
    <Page
      paper="sideways"
      title={spec('toolsTransactionInsights').label}
      aside={
        told && figures
          ? `${plural(figures.tickets, 'ticket')} of ${plural(told.coverage.withReceipts, 'store-day')}`
          : undefined
      }
      actions={
        <>
          <KeptMenu />
          <Tooltip label="Print">
            <ActionIcon
              variant="default"
              size={state.phone ? 44 : 30}
              aria-label="Print"
              onClick={() => window.print()}
            >
              <IconPrinter size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <Question state={state} asked={asked} />
      {query.error && !told ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The tickets could not be read"
          text={Problem.of(query.error).message}
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      ) : !told ? (
        <Waiting />
      ) : (
        <div
          className={`${classes.body} ${query.isPlaceholderData ? classes.stale : ''}`}
          aria-busy={query.isPlaceholderData}
        >
          <Answer told={told} asked={asked} state={state} order={order} />
        </div>
      )}
    </Page>
  );
}

function askedOf(state: ReportState): Asked {
  const daypart = DAYPARTS.find(({ value }) => value === state.get('daypart'))?.value ?? '';
  return { ...state.filters, daypart, against: againstOf(state.get, state.range) };
}

function Question({ state, asked }: { state: ReportState; asked: Asked }) {
  const against = AGAINST.find(({ value }) => value === state.get('against'))?.value ?? '';
  return (
    <Toolbar
      left={
        <>
          <RangePicker
            value={state.range}
            onChange={(range) => state.set({ ...writeRange(range, state.usual), open: null })}
          />
          <StoreFilter
            value={state.filters.storeIds}
            onChange={(ids) => state.set({ stores: ids.join(',') })}
          />
          <StoreFilter
            kinds={['operational-areas', 'regional-areas']}
            all="All areas"
            label="Areas"
            value={state.filters.areaIds}
            onChange={(ids) => state.set({ areas: ids.join(',') })}
          />
          {state.phone ? (
            <NativeSelect
              aria-label="Part of the day"
              value={asked.daypart}
              data={PARTS}
              onChange={({ currentTarget }) => state.set({ daypart: currentTarget.value || null })}
            />
          ) : (
            <Segments
              label="Part of the day"
              value={asked.daypart}
              options={PARTS}
              onChange={(next) => state.set({ daypart: next || null })}
            />
          )}
          <NativeSelect
            className={classes.select}
            aria-label="Compare with"
            value={against}
            data={[...AGAINST]}
            onChange={({ currentTarget }) => state.set({ against: currentTarget.value || null })}
          />
          {against === 'own' && asked.against && (
            <DateRange
              value={asked.against}
              onChange={({ from, to: until }) => state.set({ since: from, until })}
            />
          )}
        </>
      }
      right={null}
    />
  );
}

interface AnswerProps {
  told: Told;
  asked: Asked;
  state: ReportState;
  order: 'lift' | 'count';
}

function Answer({ told, asked, state, order }: AnswerProps) {
  const { coverage, answer } = told;
  if (coverage.storeDays === 0 && !told.coverageBefore?.withReceipts) {
    return (
      <EmptyState
        icon={IconCalendarOff}
        title="Nothing was sold on these days"
        text="Choose other days or other stores."
      />
    );
  }
  if (coverage.withReceipts === 0 && !told.coverageBefore?.withReceipts) {
    return (
      <EmptyState
        icon={IconReceiptOff}
        title={`Needs receipt-level sales; 0 of ${plural(coverage.storeDays, 'store-day')} have it.`}
        text="The sales of these days are sums by item. Import files that have a receipt number on each line."
        action={<ImportLink />}
      />
    );
  }
  return (
    <>
      <Notes told={told} asked={asked} />
      {answer ? (
        <TheAnswer answer={answer} asked={asked} state={state} order={order} />
      ) : (
        <Work told={told} asked={asked} />
      )}
    </>
  );
}

function ImportLink() {
  const may = useCan('tools/importSalesProduct');
  return may ? (
    <Button component={Link} to={to('toolsImportSales')} variant="default">
      Import sales
    </Button>
  ) : null;
}

interface ToldProps {
  answer: Insights;
  asked: Asked;
  state: ReportState;
  order: 'lift' | 'count';
}

function TheAnswer({ answer, asked, state, order }: ToldProps) {
  const mayExport = useCan('tools/transactionInsights', 'export');
  const file = (table: Parameters<typeof exportHref>[1]) =>
    mayExport ? exportHref(asked, table, order) : undefined;
  const compared = asked.against !== null && answer.before != null;
  return (
    <>
      {asked.against && (
        <p className={classes.quiet}>
          {daypartLabel(asked.daypart)}. Compared with {day(asked.against.from)} –{' '}
          {day(asked.against.to)}.
        </p>
      )}
      <Figures now={answer.figures} before={compared ? (answer.before ?? null) : null} />
      <div className={classes.charts}>
        <Heat cells={answer.hours} firstHour={answer.firstHour ?? 0} file={file('hours')} />
        <Sizes sizes={answer.sizes} file={file('sizes')} />
      </div>
      <Sets
        answer={answer}
        compared={compared}
        state={state}
        pending={false}
        file={mayExport ? (table) => exportHref(asked, table, order) : undefined}
      />
      <div className={classes.charts}>
        <Breakdown
          title="By store"
          what="Store"
          compared={compared}
          file={file('stores')}
          rows={answer.stores.map(({ storeId, name, figures, before }) => ({
            id: storeId,
            name,
            figures,
            before,
          }))}
        />
        <Breakdown
          title="By part of the day"
          what="Part"
          compared={compared}
          file={file('dayparts')}
          rows={answer.dayparts.map(({ daypart, figures, before }) => ({
            id: daypart,
            name: daypartLabel(daypart),
            figures,
            before,
          }))}
        />
      </div>
    </>
  );
}

function Waiting() {
  return (
    <div className={classes.body} aria-hidden>
      <Skeleton height={80} />
      <div className={classes.charts}>
        <Skeleton height={290} />
        <Skeleton height={290} />
      </div>
      <Skeleton height={420} />
    </div>
  );
}
