import { Button, Skeleton } from '@mantine/core';
import { IconAdjustments, IconPlugConnectedX, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { ExportButton } from '#/ui/ExportButton';
import { day as dayText, moment } from '#/ui/format';
import { isMonth, lastMonth, MonthChoice, monthName } from '#/ui/MonthChoice';
import { Page } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { type Cmsr, type CmsrDay, exportHref, useMonth, useVersion } from './api';
import classes from './Cmsr.module.css';
import { DayDrawer } from './DayDrawer';
import { Foot } from './Foot';
import { LayoutDrawer } from './LayoutDrawer';
import { Month } from './Month';
import { Notices, Versions } from './Notices';
import { Steps } from './Steps';
import { YearBoard } from './YearBoard';

const STATES: Record<string, { label: string; tone: Tone }> = {
  draft: { label: 'Draft', tone: 'neutral' },
  certified: { label: 'Certified', tone: 'brand' },
  submitted: { label: 'Submitted', tone: 'ok' },
};

/** The certified monthly sales report: a store's month, or all stores' year at a glance. */
export default function CmsrPage() {
  const state = useTableState();
  const { open: stores, pending } = useMyStores();
  const month = isMonth(state.get('month')) ? state.get('month') : lastMonth(today());
  const storeId = state.get('store') || (stores[0]?.id ?? '');
  const year = state.get('view') === 'year';
  const query = useMonth(storeId, month);
  const { data } = query;
  const shown = data?.storeId === storeId && data.month === month ? data : undefined;
  const status = shown && STATES[shown.state];
  const view = (
    <Segments
      label="View"
      value={year ? 'year' : 'month'}
      options={[
        { value: 'month', label: 'Month' },
        { value: 'year', label: 'Year at a glance' },
      ]}
      onChange={(next) => state.set({ view: next === 'year' ? next : null })}
    />
  );
  const links = (
    <Link to={pages.salesTenderReport.path} className={classes.link}>
      Tender report
    </Link>
  );

  if (year)
    return (
      <Page title="CMSR" actions={links}>
        <div className={classes.bar}>{view}</div>
        <YearBoard
          year={Number(month.slice(0, 4))}
          onYear={(next) => state.set({ month: `${next}${month.slice(4)}` })}
          hrefOf={(store, at) => to('salesCmsr', null, { store, month: at })}
        />
      </Page>
    );
  return (
    <Page
      title="CMSR"
      paper="month"
      aside={status && <StatusPill tone={status.tone}>{status.label}</StatusPill>}
      actions={
        <>
          {links}
          {shown && <Actions month={shown} />}
        </>
      }
    >
      <div className={`${classes.bar} no-print`}>
        {view}
        <StoreChoice value={storeId} onChange={(store) => state.set({ store })} />
        <MonthChoice value={month} onChange={(next) => state.set({ month: next })} />
      </div>
      {query.error && !shown ? (
        <EmptyState
          icon={IconPlugConnectedX}
          role="alert"
          title="This month could not be loaded"
          text={Problem.of(query.error).message}
          action={<Button onClick={() => void query.refetch()}>Try again</Button>}
        />
      ) : shown ? (
        <Shown month={shown} />
      ) : !pending && storeId === '' ? (
        <EmptyState
          icon={IconPlugConnectedX}
          title="No store yet"
          text="Add a store first; then its months can be certified."
        />
      ) : (
        [60, 420, 220].map((height) => <Skeleton key={height} height={height} radius="md" />)
      )}
    </Page>
  );
}

function Actions({ month }: { month: Cmsr }) {
  const mayEdit = useCan('sales/cmsr', 'edit');
  const mayExport = useCan('sales/cmsr', 'export');
  const [layout, setLayout] = useState(false);
  return (
    <>
      {mayExport && <ExportButton href={exportHref(month.storeId, month.month)} />}
      {mayEdit && (
        <Button
          variant="default"
          leftSection={<IconAdjustments size={16} aria-hidden />}
          onClick={() => setLayout(true)}
        >
          Columns
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconPrinter size={16} aria-hidden />}
        onClick={() => window.print()}
      >
        Print
      </Button>
      <Steps month={month} />
      {layout && (
        <LayoutDrawer
          lessor={month.content.lessor ?? ''}
          layout={month.layout}
          onClose={() => setLayout(false)}
        />
      )}
    </>
  );
}

function Shown({ month }: { month: Cmsr }) {
  const mayEdit = useCan('sales/cmsr', 'edit');
  const [day, setDay] = useState<CmsrDay | null>(null);
  const [version, setVersion] = useState<number | null>(null);
  const old = useVersion(month.storeId, month.month, version);
  const content = (version !== null && old.data) || month.content;
  const draft = month.state === 'draft' && version === null;
  const certified = month.versions.find(
    (one) =>
      one.version === (version ?? month.version) && (version !== null || month.state !== 'draft'),
  );
  return (
    <>
      <Notices month={month} />
      <article
        className={classes.paper}
        data-draft={draft || undefined}
        aria-label={`${content.storeName}, ${monthName(month.month)}`}
      >
        <header className={classes.head}>
          <h2>{month.layout.title}</h2>
          {draft && <p className={classes.draft}>Draft, not certified</p>}
          <p>
            <b>{content.storeName}</b>
            {month.storeCode && ` (${month.storeCode})`}
          </p>
          <p>
            {monthName(month.month)}
            {content.lessor && `, for ${content.lessor}`}
          </p>
          {(version !== null || month.version > 1) && (
            <p>
              Version {version ?? month.version}
              {version !== null && version !== month.version && ', as it was certified'}
            </p>
          )}
        </header>
        <Month
          content={content}
          columns={month.layout.columns}
          onDay={mayEdit && version === null && month.state === 'draft' ? setDay : undefined}
        />
        <Foot content={content} />
        <footer className={classes.sign}>
          <p>{month.layout.statement}</p>
          {(content.absences ?? []).map((one) => (
            <p key={`${one.date} ${one.terminalId}`}>
              {dayText(one.date)}
              {one.terminalId && `, till ${one.terminalId}`}:{' '}
              {one.before ? 'a Z-reading before this one does not exist' : 'no Z-reading exists'} (
              {one.reason}). Recorded by {one.by.name}.
            </p>
          ))}
          <div>
            <span>
              <b>{certified?.certifiedName ?? ''}</b>
              <small>Name and signature</small>
            </span>
            <span>
              <b>{certified?.certifiedPosition ?? ''}</b>
              <small>Position</small>
            </span>
            <span>
              <b>{certified ? moment(certified.certifiedAt).split(',')[0] : ''}</b>
              <small>Date</small>
            </span>
          </div>
        </footer>
      </article>
      <Versions month={month} chosen={version} onChoose={setVersion} />
      {day && <DayDrawer month={month} day={day} onClose={() => setDay(null)} />}
    </>
  );
}
