import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconCalendarOff, IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { can, useMe } from '#/api/session';
import { pages, spec } from '#/paths';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { lastingError } from '#/ui/toast';
import { latestSales } from '../api';
import { writeRange } from '../question/ranges';
import type { ReportState } from '../question/useReport';
import { span } from '../question/weeks';
import classes from './Report.module.css';

/** A skeleton of the report. */
export function Waiting({ view }: { view: string }) {
  return (
    <>
      {view !== 'table' && (
        <div className={classes.waiting} data-fill={view === 'chart' || undefined} aria-hidden>
          <Skeleton height={14} width={180} mb="md" />
          <div className={classes.bone} />
        </div>
      )}
      {view !== 'chart' && (
        <div className={classes.frame} aria-hidden>
          <div className={classes.waitingHead} />
          {Array.from({ length: 9 }, (_, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
            <div key={i} className={classes.waitingRow}>
              <Skeleton height={9} width={`${110 + ((i * 37) % 70)}px`} />
              {Array.from({ length: 8 }, (_, j) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
                <Skeleton key={j} height={9} width={`${24 + ((i * 13 + j * 29) % 26)}px`} />
              ))}
            </div>
          ))}
        </div>
      )}
      <p className="sr-only" role="status">
        Loading the report
      </p>
    </>
  );
}

/** Why there is no report, with a retry. */
export function Failed({ error, retry }: { error: unknown; retry(): void }) {
  const problem = Problem.of(error);
  if (problem.status === 403) {
    return (
      <section className={classes.frame}>
        <EmptyState icon={IconLock} role="alert" title="Not Authorized" text={problem.message} />
      </section>
    );
  }
  const said = problem.fields.map(({ message }) => message).join(' ');
  return (
    <section className={classes.frame}>
      <EmptyState
        icon={IconAlertTriangle}
        role="alert"
        title="The report could not be loaded"
        text={said || problem.message}
        action={
          <Button variant="default" onClick={retry}>
            Try again
          </Button>
        }
      />
    </section>
  );
}

/** No sales: for these dates and stores, or ever. */
export function Nothing({ state }: { state: ReportState }) {
  const me = useMe();
  const [looking, setLooking] = useState(false);
  const [never, setNever] = useState(false);
  const { storeIds, areaIds } = state.filters;
  const narrowed = storeIds.length + areaIds.length > 0;
  const importing = spec('toolsImportSales');
  const mayImport = importing.built && can(me, importing.can);

  async function look(): Promise<void> {
    setLooking(true);
    try {
      const range = await latestSales(today());
      if (range) state.set({ ...writeRange(range, state.usual), cell: null }, true);
      else setNever(true);
    } catch (error) {
      lastingError(Problem.of(error).message);
    } finally {
      setLooking(false);
    }
  }

  if (never) {
    return (
      <section className={classes.frame}>
        <EmptyState
          icon={IconCalendarOff}
          title="No sales yet"
          text="Reports fill as soon as sales are imported."
          action={
            mayImport && (
              <Button component={Link} to={pages.toolsImportSales.path}>
                Import sales
              </Button>
            )
          }
        />
      </section>
    );
  }
  return (
    <section className={classes.frame}>
      <EmptyState
        icon={IconCalendarOff}
        role="status"
        title="No sales on these dates"
        text={
          narrowed
            ? `The chosen stores and areas sold nothing, ${span(state.range)}.`
            : `Nothing was imported for ${span(state.range)}.`
        }
        action={
          narrowed ? (
            <Button variant="default" onClick={() => state.set({ stores: null, areas: null })}>
              Show all stores
            </Button>
          ) : (
            <span className={classes.ways}>
              <Button variant="default" loading={looking} onClick={() => void look()}>
                Show the latest sales
              </Button>
              {mayImport && (
                <Button variant="default" component={Link} to={pages.toolsImportSales.path}>
                  Import sales
                </Button>
              )}
            </span>
          )
        }
      />
    </section>
  );
}
