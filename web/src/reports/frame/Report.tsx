import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { IconAlertTriangle, IconPrinter, IconSearchOff } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { ViewSwitch } from '#/charts/Chart';
import { type PageKey, spec, to } from '#/paths';
import { FilterBox, Toolbar } from '#/table/Toolbar';
import { BackLink } from '#/ui/BackLink';
import { EmptyState } from '#/ui/EmptyState';
import { ExportButton } from '#/ui/ExportButton';
import { DOT } from '#/ui/format';
import { isTyping, overlayOpen } from '#/ui/keys';
import { Page } from '#/ui/Page';
import { PaperLine } from '#/ui/PaperLine';
import { StoreFilter } from '#/ui/StoreFilter';
import { RangePicker } from '../question/RangePicker';
import { writeRange } from '../question/ranges';
import type { ReportState } from '../question/useReport';
import { span } from '../question/weeks';
import classes from './Report.module.css';
import { Failed, Nothing, Waiting } from './ReportStates';
import { useStoreLabel } from './useStoreLabel';

interface Props {
  page: PageKey;
  state: ReportState;
  query: Pick<UseQueryResult, 'data' | 'isPending' | 'isPlaceholderData' | 'error' | 'refetch'>;
  /** The count next to the title. */
  aside?: string;
  /** This report's own choices. */
  choices?: ReactNode;
  /** What the report leaves out, above it. */
  notices?: ReactNode;
  placeholder: string;
  exportHref(format: 'csv' | 'xlsx'): string;
  /** There is nothing to report. */
  empty: boolean;
  /** Shown then, instead of «nothing sold». */
  nothing?: ReactNode;
  /** There are rows, but none match the filter. */
  noMatch: boolean;
  many: string;
  /** Printed next to range and stores. */
  words: string;
  chart: ReactNode;
  table: ReactNode;
  children?: ReactNode;
}

/** The frame of every report: range, stores, chart, table, loading and error states, print layout. */
export function Report(props: Props) {
  const { page, state, query, empty, noMatch, many } = props;
  const box = useRef<HTMLInputElement>(null);
  const mayExport = useCan('reports/reports', 'export');
  const stores = useStoreLabel(state.filters);
  useSlash(box);
  const fresh = !query.isPending && !query.error;
  const showChart = state.view !== 'table' && !noMatch;
  const showTable = state.view !== 'chart';

  const filter = (
    <FilterBox
      box={box}
      value={state.q}
      wait={60}
      placeholder={props.placeholder}
      onChange={(q) => state.set({ q })}
    />
  );
  const views = (
    <ViewSwitch
      value={state.view}
      both={!state.phone}
      onChange={(view) =>
        state.set({ view: view === (state.phone ? 'chart' : 'both') ? null : view })
      }
    />
  );

  return (
    <Page
      fill
      title={spec(page).label}
      back={<BackLink to={to('reports', { tab: 'standard' })} label="Reports" />}
      aside={fresh && !empty ? props.aside : undefined}
      actions={
        <>
          {!state.phone && views}
          {mayExport && <ExportButton href={props.exportHref} />}
          <Tooltip label="Print">
            <ActionIcon
              variant="default"
              size={30}
              aria-label="Print"
              className={classes.print}
              onClick={() => window.print()}
            >
              <IconPrinter size={17} stroke={1.6} />
            </ActionIcon>
          </Tooltip>
        </>
      }
    >
      <Toolbar
        left={
          <>
            <RangePicker
              value={state.range}
              onChange={(range) => state.set({ ...writeRange(range, state.usual), cell: null })}
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
            {props.choices}
            {state.phone && views}
            {state.phone && showTable && filter}
          </>
        }
        right={!state.phone && filter}
      />
      <PaperLine>
        {span(state.range)}
        {DOT}
        {stores}
        {DOT}
        {props.words}
        {state.q && `${DOT}only what matches “${state.q}”`}
      </PaperLine>
      {fresh && !empty && props.notices}
      {query.error && !query.data ? (
        <Failed error={query.error} retry={() => void query.refetch()} />
      ) : query.isPending ? (
        <Waiting view={state.view} />
      ) : empty ? (
        props.nothing || <Nothing state={state} />
      ) : (
        <>
          {showChart && props.chart}
          {(showTable || noMatch) && (
            <section className={classes.frame} aria-label={`${spec(page).label}, table`}>
              {noMatch ? (
                <EmptyState
                  icon={IconSearchOff}
                  title={`No ${many} match “${state.q}”`}
                  text="Check the spelling or clear the filter."
                  action={
                    <Button variant="default" onClick={() => state.set({ q: null })}>
                      Clear filter
                    </Button>
                  }
                />
              ) : (
                props.table
              )}
            </section>
          )}
        </>
      )}
      {query.error && query.data ? (
        <p className={classes.stale} role="alert">
          <IconAlertTriangle size={16} aria-hidden />
          These figures may be old: {Problem.of(query.error).message}
          <button type="button" onClick={() => void query.refetch()}>
            Try again
          </button>
        </p>
      ) : null}
      {props.children}
    </Page>
  );
}

/** `/` focuses the filter, as in lists. */
function useSlash(box: RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event) || overlayOpen()) return;
      event.preventDefault();
      box.current?.focus();
      box.current?.select();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [box]);
}
