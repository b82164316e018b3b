import { Select, TextInput } from '@mantine/core';
import type { Connector, FeedSettings } from '#/connectors/api';
import classes from '#/connectors/Connectors.module.css';
import { ConnectorsPage } from '#/connectors/ConnectorsPage';
import type { Fault } from '#/connectors/faults';
import type { Kind } from '#/connectors/kind';
import { pages } from '#/paths';
import { BackLink } from '#/ui/BackLink';

const BASE = '/api/tools/services/w3p-ingest';

const feedKind: Kind<FeedSettings> = {
  base: BASE,
  one: 'POS feed',
  blank: {
    kind: 'w3p',
    folder: null,
    holds: 'days',
    reading: {
      fields: {},
      key: null,
      dateFormat: 'ymd',
      decimal: '.',
      priceMeans: 'unit',
      storeId: null,
    },
  },
  secretOf: () => ({ name: 'signingSecret', label: 'Signing secret', make: true }),
  dated: () => false,
  runs: false,
  fields: FeedFields,
  faults: feedFaults,
  roles: () => [{ value: 'key', label: 'Tells records apart' }],
  use: (settings, path, role) => ({
    ...settings,
    reading: { ...settings.reading, key: role === 'key' ? path : settings.reading.key },
  }),
  roleOf: ({ reading }, path) => (reading.key === path ? 'key' : null),
  beside: (connector) => <HowToPush connector={connector} />,
};

/** A POS feed, pushed or dropped into a folder. */
export default function W3pIngestPage() {
  return (
    <ConnectorsPage
      kind={feedKind}
      title="W3P ingest"
      back={<BackLink to={pages.toolsServices.path} label="Services" />}
      empty="A feed takes what a POS vendor pushes by HTTPS, and files that are dropped into a folder."
    />
  );
}

function feedFaults({ folder, holds, reading }: FeedSettings): Fault[] {
  const found: Fault[] = [];
  if (folder && !/^[a-z0-9_-]{1,60}$/.test(folder))
    found.push({
      field: 'settings.folder',
      label: 'Watched folder',
      message: 'Use small letters, digits and hyphens, such as till-feed.',
    });
  if (holds === 'receipts' && !reading.fields.receipt && Object.keys(reading.fields).length > 0)
    found.push({
      field: 'settings.reading.fields.receipt',
      label: 'Receipt number',
      message: 'Receipts are told apart by their number: choose its column.',
    });
  return found;
}

interface Props {
  settings: FeedSettings;
  onChange(settings: FeedSettings): void;
  errorOf(field: string): string | null;
  incoming?: string;
}

function FeedFields({ settings, onChange, errorOf, incoming }: Props) {
  return (
    <div className={classes.fields}>
      <Select
        label="A delivery holds"
        data={[
          { value: 'days', label: 'Whole days of stores' },
          { value: 'receipts', label: 'Receipts, added to their days' },
        ]}
        value={settings.holds}
        allowDeselect={false}
        withScrollArea={false}
        onChange={(it) => onChange({ ...settings, holds: (it ?? 'days') as FeedSettings['holds'] })}
      />
      <TextInput
        label="Watched folder"
        description={incoming ? `Below ${incoming}` : 'Below the folder for incoming files'}
        placeholder="None"
        value={settings.folder ?? ''}
        data-path="settings.folder"
        error={errorOf('settings.folder')}
        onChange={(event) => onChange({ ...settings, folder: event.currentTarget.value || null })}
      />
    </div>
  );
}

function HowToPush({ connector }: { connector: Connector }) {
  const address = `${location.origin}${BASE}/${connector.id}/push`;
  const lines = [
    'TIME=$(date +%s); ID=$(uuidgen)',
    "SIGN=$( (printf '%s.%s.' $TIME $ID; cat sales.csv) | openssl dgst -sha256 -hmac \"$SECRET\" -hex | sed 's/.* //')",
    `curl -X POST ${address} --data-binary @sales.csv \\`,
    '  -H "X-Larder-Timestamp: $TIME" -H "X-Larder-Delivery: $ID" -H "X-Larder-Signature: v1=$SIGN"',
  ];
  return (
    <>
      <h3>How to push</h3>
      <pre className={classes.raw}>{lines.join('\n')}</pre>
    </>
  );
}
