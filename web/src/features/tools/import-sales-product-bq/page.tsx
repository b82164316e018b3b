import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useCan } from '#/api/session';
import type { BigQuerySettings } from '#/connectors/api';
import classes from '#/connectors/Connectors.module.css';
import { ConnectorsPage } from '#/connectors/ConnectorsPage';
import { DaysFields } from '#/connectors/DaysFields';
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
  roles: [],
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
        error={errorOf('settings.project')}
        onChange={(event) => set({ project: event.currentTarget.value })}
      />
      <TextInput
        label="Location"
        placeholder="asia-southeast1"
        value={settings.location ?? ''}
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
          error={errorOf('settings.query')}
          onChange={(event) => set({ query: event.currentTarget.value })}
        />
      ) : (
        <>
          <TextInput
            label="Table"
            placeholder="dataset.table"
            value={settings.table ?? ''}
            error={errorOf('settings.table')}
            onChange={(event) => set({ table: event.currentTarget.value })}
          />
          <TextInput
            label="Date column"
            value={settings.dateColumn ?? ''}
            error={errorOf('settings.dateColumn')}
            onChange={(event) => set({ dateColumn: event.currentTarget.value })}
          />
        </>
      )}
      <DaysFields settings={settings} errorOf={errorOf} onChange={set} />
    </div>
  );
}
