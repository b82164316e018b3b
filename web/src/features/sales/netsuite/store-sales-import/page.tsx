import { Button } from '@mantine/core';
import { IconDownload, IconFileZip } from '@tabler/icons-react';
import { useState } from 'react';
import { useCan } from '#/api/session';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { pages } from '#/paths';
import { span } from '#/reports/question/weeks';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerBody } from '#/ui/DrawerViews';
import { DropArea } from '#/ui/DropArea';
import { bytes, count, day, moment, plural } from '#/ui/format';
import {
  type Asked,
  type Day,
  type Export,
  fileHref,
  layoutName,
  makeFiles,
  type Results,
  takeResults,
  useExports,
  zipHref,
} from '../api';
import { askedOf, DayTable } from '../DayTable';
import classes from '../Netsuite.module.css';
import { PreviewDrawer } from '../PreviewDrawer';
import { useWithdrawal } from '../useWithdrawal';
import { mayGo, recordOf } from '../withdrawals';

/** Choose days, export files, and import NetSuite's results. */
export default function StoreSalesImportPage() {
  const mayExport = useCan('sales/netsuite', 'export');
  const mayImport = useCan('sales/netsuite', 'import');
  const saving = useSave({ shows: 'toast' });
  const [made, setMade] = useState<Export | null>(null);
  const [files, setFiles] = useState(false);
  const [opened, setOpened] = useState<Day | null>(null);
  const asked = askedOf(useTableState());
  const withdrawal = useWithdrawal(asked.layout);

  async function go(from: Asked, days?: Day[]): Promise<void> {
    await saving.run(async () => {
      const { storeIds, ...rest } = from;
      const json = {
        ...rest,
        storeIds: storeIds?.split(',') ?? [],
        days: days?.map(({ storeId, date }) => ({ storeId, date })),
        again: days !== undefined,
      };
      setMade(await makeFiles(json));
      setFiles(true);
    });
  }

  return (
    <>
      <DayTable
        id="sales-netsuite-import"
        title="NetSuite store sales import"
        back={<BackLink to={pages.salesNetsuite.path} label="NetSuite" />}
        onOpen={setOpened}
        actions={(now, counts) => (
          <>
            <Button
              variant="default"
              onClick={() => {
                setMade(null);
                setFiles(true);
              }}
            >
              Files and results
            </Button>
            {mayExport && (
              <Button loading={saving.busy} onClick={() => void go(now)}>
                Export what is ready
                {/* What NetSuite refused goes again, under the same External ID. */}
                {counts?.failed ? `, and ${count(counts.failed)} failed again` : ''}
              </Button>
            )}
          </>
        )}
        bulk={
          mayExport
            ? [
                {
                  label: 'Export these',
                  shown: (rows) => rows.some(mayGo),
                  run: (rows, clear) => void go(asked, rows).then(clear),
                },
                ...withdrawal.actions,
              ]
            : undefined
        }
        pickable={(row) => mayGo(row) || recordOf(row, asked.layout) !== undefined}
      />
      <PreviewDrawer row={opened} layout={asked.layout} onClose={() => setOpened(null)} />
      {withdrawal.dialog}
      <DrawerFrame
        opened={files}
        title="Files and results"
        size={560}
        onClose={() => setFiles(false)}
      >
        <DrawerBody>
          {made && <Made made={made} />}
          {mayImport && <ResultFile />}
          <Earlier mayExport={mayExport} />
        </DrawerBody>
      </DrawerFrame>
    </>
  );
}

function Files({ of }: { of: Export }) {
  return (
    <ul className={classes.files}>
      {of.files.map((file, at) => (
        <li key={file.name}>
          <Button
            component="a"
            href={fileHref(of.id, at + 1)}
            download
            size="xs"
            variant="default"
            leftSection={<IconDownload size={15} aria-hidden />}
          >
            {file.name}
          </Button>
          <span>
            {plural(file.records, 'record')}, {plural(file.rows, 'row')}, {bytes(file.bytes)}
          </span>
        </li>
      ))}
      {of.files.length > 1 && (
        <li>
          <Button
            component="a"
            href={zipHref(of.id)}
            download
            size="xs"
            leftSection={<IconFileZip size={15} aria-hidden />}
          >
            All {of.files.length} files as one ZIP
          </Button>
          <span>NetSuite takes at most 25,000 records and 50 MB a file.</span>
        </li>
      )}
    </ul>
  );
}

/** The files just made, and the blocked days. */
function Made({ made }: { made: Export }) {
  return (
    <section className={classes.section} role="status">
      <h3>
        {plural(made.records, 'day')} exported as {plural(made.files.length, 'file')}
      </h3>
      <Files of={made} />
      {made.left.length > 0 && (
        <>
          <p>{plural(made.left.length, 'day was', 'days were')} blocked:</p>
          <ul className={classes.left}>
            {made.left.slice(0, 12).map((one) => (
              <li key={`${one.storeId} ${one.date}`}>
                {one.storeName}, {day(one.date)}: {one.reasons.join(' ')}
              </li>
            ))}
            {made.left.length > 12 && <li>and {made.left.length - 12} more</li>}
          </ul>
        </>
      )}
    </section>
  );
}

/** Imports NetSuite's result file. */
function ResultFile() {
  const [results, setResults] = useState<Results | null>(null);
  const saving = useSave();
  async function take(file: File): Promise<void> {
    setResults(null);
    await saving.run(async () => {
      setResults(await takeResults(file));
    });
  }
  return (
    <section className={classes.section}>
      <h3>What NetSuite said</h3>
      <SaveProblem save={saving} of="all" />
      {results && (
        <div role="status" className={classes.notice}>
          {plural(results.confirmed, 'record')} confirmed, {results.failed.length} failed
          {results.unknownTotal > 0 &&
            `. Not exported from here: ${results.unknown.join(', ')}${results.unknownTotal > results.unknown.length ? ` and ${count(results.unknownTotal - results.unknown.length)} more` : ''}`}
          .
          {results.withdrawn.length > 0 &&
            ` Withdrawn here, so delete in NetSuite: ${results.withdrawn.join(', ')}.`}
          <ul className={classes.left}>
            {results.failed.map(({ externalId, message }) => (
              <li key={externalId}>
                {externalId}: {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <DropArea
        title="Drop NetSuite's result file here"
        hint="CSV or Excel with the External ID and the error message of each record."
        accept=".csv,.txt,.xlsx"
        disabled={saving.busy}
        onFile={(file) => void take(file)}
      />
    </section>
  );
}

/** Exports shown at once. */
const AT_ONCE = 20;

/** Earlier exports. */
function Earlier({ mayExport }: { mayExport: boolean }) {
  const [limit, setLimit] = useState(AT_ONCE);
  const { data } = useExports(limit);
  if (!data || data.items.length === 0) return null;
  return (
    <section className={classes.section}>
      <h3>Exports</h3>
      {data.items.map((one) => (
        <div key={one.id}>
          <p>
            {layoutName(one.layout)}, {span(one)}, {plural(one.records, 'day')}.{' '}
            {one.createdBy.name}, {moment(one.createdAt)}
          </p>
          {mayExport && <Files of={one} />}
        </div>
      ))}
      {data.total > data.items.length && (
        <Button size="xs" variant="default" onClick={() => setLimit(limit + AT_ONCE)}>
          Show more of {count(data.total)}
        </Button>
      )}
    </section>
  );
}
