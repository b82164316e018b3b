// A report's declaration: its choices, rows, columns and chart, and where its figures lead.
import { type ReactNode, useMemo } from 'react';
import type { PageKey } from '#/paths';
import { writeSort } from '#/table/useTableState';
import { exportHref, type ReportNamed, useReportData } from './api';
import { askedOf, ChoiceSegments, type Choices, type Chosen, readChosen } from './choices';
import { Drilldown, type DrilldownContent } from './Drilldown';
import { acrossUnits, addsByUnit, feetOf, groupedByUnit, inGroup } from './feet';
import { type Found, type ReportRow, type Shown, useFound } from './found';
import { Report } from './frame/Report';
import { Matrix } from './matrix/Matrix';
import { nextSort, sortRows } from './matrix/sorting';
import type { MatrixColumn } from './matrix/types';
import { type ReportState, useReport } from './question/useReport';
import { chosenUnit, footLabel } from './units';

type None = Record<never, string>;

export interface Declaration<A, R extends ReportRow, C extends Chosen = None> {
  page: PageKey;
  /** Its wire name. */
  name: ReportNamed<A>;
  /** The noun for rows, singular and plural. */
  things(chosen: C): readonly [string, string];
  /** The heading of the names, if it is not the noun. */
  rowsAre?(chosen: C): string;
  /** The table's caption, for screen readers and paper. */
  words(chosen: C): string;
  placeholder?: string;
  choices?: Choices<C>;
  rows(answer: A, chosen: C): readonly R[];
  /** The figure columns, and the one fixed at the right. */
  columns(found: Found<A, R, C>): {
    columns: readonly MatrixColumn<R>[];
    total?: MatrixColumn<R> | null;
  };
  /** The footer's label, if it is not that of a sum. */
  foot?(shown: Shown<A, R, C>): string;
  /** The count next to the title. */
  aside(shown: Shown<A, R, C>): string;
  /** What the report leaves out. */
  notices?(shown: Shown<A, R, C>): ReactNode;
  /** Whether an answer with rows is still empty. */
  empty?(answer: A): boolean;
  /** Shown then, instead of «nothing sold». */
  nothing?(shown: Shown<A, R, C>): ReactNode;
  chart(shown: Shown<A, R, C>): ReactNode;
  /** What a click on a name does: puts the row into the chart, or filters by it. */
  onName: 'chart' | 'filter';
  /** The rows marked in the chart, if not the chosen ones. */
  marked?(shown: Shown<A, R, C>): readonly string[];
  /** Shows the kind after the name: on desktops, or on phones too where it tells rows apart. */
  kindBesideName?: 'atDesk' | 'always';
  /** Starts scrolled to the last column. */
  fromEnd?: 'always' | 'atDesk';
  /** The parts of a figure. */
  drilldown?(shown: Shown<A, R, C>): DrilldownContent;
  /** A custom drawer for them; gets no data while the report loads. */
  drawer?(state: ReportState, shown: Shown<A, R, C> | null): ReactNode;
  /** The default range, if not the usual one. */
  usual?: string;
}

const NONE = {};

/** The page of a report. */
export function defineReport<A, R extends ReportRow, C extends Chosen = None>(
  report: Declaration<A, R, C>,
) {
  const choices = report.choices ?? (NONE as Choices<C>);

  return function ReportPage() {
    const state = useReport(report.usual);
    const words = JSON.stringify(readChosen(choices, state.get));
    // The same choice keeps its identity, whatever else changes in the address.
    const chosen = useMemo(() => JSON.parse(words) as C, [words]);
    const query = useReportData<A>(report.name, state.filters, askedOf(choices, chosen, false));
    const found = useFound(state, chosen, query.data, report.rows);
    const made = useMemo(() => found && report.columns(found), [found]);
    const shown = useMemo((): Shown<A, R, C> | null => {
      if (!found || !made) return null;
      const { columns, total } = made;
      const sorted = sortRows(found.found, state.sort, total ? [...columns, total] : columns);
      const rows = addsByUnit(found.units, made) ? groupedByUnit(sorted, found.units) : sorted;
      return { ...found, rows, columns };
    }, [found, made, state.sort]);
    const [one, many] = report.things(chosen);
    const some = Boolean(shown && shown.all.length > 0);

    return (
      <Report
        page={report.page}
        state={state}
        query={query}
        aside={shown ? report.aside(shown) : undefined}
        choices={<ChoiceSegments choices={choices} chosen={chosen} set={state.set} />}
        notices={shown && report.notices?.(shown)}
        placeholder={report.placeholder ?? `Filter ${many}`}
        exportHref={exportHref(report.name, state.filters, askedOf(choices, chosen, true))}
        empty={!shown || !some || Boolean(report.empty?.(shown.answer))}
        nothing={shown && report.nothing?.(shown)}
        noMatch={some && shown?.found.length === 0}
        many={many}
        words={report.words(chosen)}
        chart={shown && report.chart(shown)}
        table={
          shown && (
            <Table
              report={report}
              shown={shown}
              total={made?.total ?? null}
              one={one}
              stale={query.isPlaceholderData}
            />
          )
        }
      >
        {report.drilldown && (
          <Drilldown
            cell={state.cell}
            filters={state.filters}
            said={shown ? report.drilldown(drilledOf(shown)) : null}
            nameOf={(id) => shown?.all.find((row) => row.id === id)?.name ?? null}
            onClose={() => state.set({ cell: null })}
          />
        )}
        {report.drawer?.(state, shown)}
      </Report>
    );
  };
}

/** A sum that was opened is of the unit in the address, if it has one, whatever rows are compared. */
function drilledOf<A, R extends ReportRow, C>(shown: Shown<A, R, C>): Shown<A, R, C> {
  const { units, state } = shown;
  const unit = state.get('unit');
  return unit && units.length > 1 ? inGroup(shown, chosenUnit(units, unit)) : shown;
}

interface TableProps<A, R extends ReportRow, C extends Chosen> {
  report: Declaration<A, R, C>;
  shown: Shown<A, R, C>;
  total: MatrixColumn<R> | null;
  one: string;
  stale: boolean;
}

/** What a sum row covers. */
const footOf = <A, R extends ReportRow, C extends Chosen>(
  report: Declaration<A, R, C>,
  shown: Shown<A, R, C>,
): string =>
  report.foot?.(shown) ?? footLabel(shown.units, shown.group, shown.rows.length, shown.filtered);

function Table<A, R extends ReportRow, C extends Chosen>(props: TableProps<A, R, C>) {
  const { report, shown, total, one, stale } = props;
  const { state, chosen, rows, columns } = shown;
  const inChart = report.onName === 'chart';
  const byUnit = addsByUnit(shown.units, { columns, total });
  const feet = useMemo(
    () =>
      byUnit
        ? feetOf(shown, report.columns, (found) => footOf(report, { ...shown, ...found }))
        : undefined,
    [byUnit, shown, report],
  );
  const whole = useMemo(
    () => (byUnit ? acrossUnits(shown, report.columns, { columns, total }) : null),
    [byUnit, shown, report, columns, total],
  );
  const { kindBesideName } = report;
  const noted = kindBesideName === 'always' || (kindBesideName && !state.phone);
  const marked = inChart ? (report.marked?.(shown) ?? state.focus) : [];
  return (
    <Matrix<R>
      label={report.words(chosen)}
      rows={rows}
      columns={whole?.columns ?? columns}
      total={whole ? whole.total : total}
      rowsAre={report.rowsAre?.(chosen) ?? one.charAt(0).toUpperCase() + one.slice(1)}
      foot={byUnit ? whole && 'Total, all units' : footOf(report, shown)}
      feet={feet}
      sort={state.sort}
      onSort={(id, text) => state.set({ sort: writeSort(nextSort(state.sort, id, text)) })}
      markOf={(id) => {
        const at = marked.indexOf(id);
        return at < 0 ? null : at;
      }}
      onName={({ id, name }) => (inChart ? state.toggleFocus(id) : state.set({ q: name }))}
      noteOf={noted ? ({ kind }) => kind : undefined}
      wideNames={kindBesideName === 'always'}
      fromEnd={report.fromEnd === 'always' || (report.fromEnd === 'atDesk' && !state.phone)}
      phone={state.phone}
      stale={stale}
    />
  );
}
