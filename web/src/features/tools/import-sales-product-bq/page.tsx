import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useCan } from '#/api/session';
import type { BigQuerySettings } from '#/connectors/api';
import classes from '#/connectors/Connectors.module.css';
import { ConnectorsPage } from '#/connectors/ConnectorsPage';
import { againFault, DaysFields } from '#/connectors/DaysFields';
import type { Fault } from '#/connectors/faults';
import type { Kind } from '#/connectors/kind';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';

const bigQueryKind: Kind<BigQuerySettings> = {
  base: '/api/tools/import-sales-product-bq',
  one: 'BigQuery import',
  blank: {
    kind: 'bigquery',
    project: '',
    location: null,
    table: '',
    dateColumn: '',
    query: null,
    reading: {
      fields: {},
      key: null,
      dateFormat: 'ymd',
      decimal: '.',
      priceMeans: 'unit',
      storeId: null,
    },
    againDays: 3,
  },
  secretOf: () => ({ name: 'serviceAccount', label: 'Service account (JSON)', long: true }),
  dated: () => true,
  runs: true,
  fields: BigQueryFields,
  faults: bigQueryFaults,
  roles: () => [],
  use: (settings) => settings,
  roleOf: () => null,
};

/** Sales from Google BigQuery, a day at a time. */
export default function ImportSalesBqPage() {
  const mayImport = useCan(pages.toolsImportSales.can);
  return (
    <ConnectorsPage
      kind={bigQueryKind}
      title="Sales from BigQuery"
      back={mayImport && <BackLink to={pages.toolsImportSales.path} label="Import sales" />}
      empty="A BigQuery import reads each day's sales from a table or a query and posts them when all rows have come."
    />
  );
}

const PLAIN = /^[A-Za-z0-9_.:-]{1,300}$/;

function bigQueryFaults(settings: BigQuerySettings): Fault[] {
  const { project, location, table, dateColumn, query, againDays } = settings;
  const found: Fault[] = [];
  const at = (field: string, label: string, message: string) =>
    found.push({ field: `settings.${field}`, label, message });
  if (!PLAIN.test(project))
    at('project', 'Project', "Enter the project's id, such as my-project-123.");
  if (location && !PLAIN.test(location))
    at('location', 'Location', 'Enter a location such as asia-southeast1, or leave it empty.');
  if (query != null) {
    if (!query.includes('@date') || query.length > 20_000)
      at(
        'query',
        'Query',
        'Write a query of at most 20,000 characters with @date where the day goes.',
      );
  } else {
    if (
      !/^[A-Za-z0-9_.:$*-]{1,300}$/.test(table ?? '') ||
      !/^[^.]*(\.[^.]*){1,2}$/.test(table ?? '')
    )
      at('table', 'Table', 'Write it as dataset.table or project.dataset.table.');
    if (!PLAIN.test(dateColumn ?? ''))
      at('dateColumn', 'Date column', 'Enter the column with the business date.');
  }
  return [...found, ...againFault(againDays)];
}

interface Props {
  settings: BigQuerySettings;
  onChange(settings: BigQuerySettings): void;
  errorOf(field: string): string | null;
}

function BigQueryFields({ settings, onChange, errorOf }: Props) {
  const set = (part: Partial<BigQuerySettings>) => onChange({ ...settings, ...part });
  const byQuery = settings.query != null;
  return (
    <div className={classes.fields}>
      <TextInput
        label="Project"
        required
        placeholder="my-project-123"
        value={settings.project}
        data-path="settings.project"
        error={errorOf('settings.project')}
        onChange={(event) => set({ project: event.currentTarget.value })}
      />
      <TextInput
        label="Location"
        placeholder="asia-southeast1"
        value={settings.location ?? ''}
        data-path="settings.location"
        error={errorOf('settings.location')}
        onChange={(event) => set({ location: event.currentTarget.value || null })}
      />
      <SegmentedControl
        mt={24}
        aria-label="Read from"
        data={[
          { value: 'table', label: 'A table' },
          { value: 'query', label: 'A query' },
        ]}
        value={byQuery ? 'query' : 'table'}
        onChange={(it) =>
          set(
            it === 'query'
              ? { query: '', table: null, dateColumn: null }
              : { query: null, table: '', dateColumn: '' },
          )
        }
      />
      {byQuery ? (
        <Textarea
          className={classes.wide}
          label="Query"
          description="With @date where the day goes"
          autosize
          minRows={4}
          value={settings.query ?? ''}
          data-path="settings.query"
          error={errorOf('settings.query')}
          onChange={(event) => set({ query: event.currentTarget.value })}
        />
      ) : (
        <>
          <TextInput
            label="Table"
            placeholder="dataset.table"
            value={settings.table ?? ''}
            data-path="settings.table"
            error={errorOf('settings.table')}
            onChange={(event) => set({ table: event.currentTarget.value })}
          />
          <TextInput
            label="Date column"
            value={settings.dateColumn ?? ''}
            data-path="settings.dateColumn"
            error={errorOf('settings.dateColumn')}
            onChange={(event) => set({ dateColumn: event.currentTarget.value })}
          />
        </>
      )}
      <DaysFields settings={settings} errorOf={errorOf} onChange={set} />
    </div>
  );
}
