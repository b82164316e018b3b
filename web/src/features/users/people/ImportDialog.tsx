import { Button, Group, Modal } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useSave } from '#/form/useSave';
import { DataTable } from '#/table/DataTable';
import { clientSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { confirmKeys } from '#/ui/confirmKeys';
import { csvOf, download } from '#/ui/csv';
import { DropArea } from '#/ui/DropArea';
import { count, plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import textClasses from '#/ui/Text.module.css';
import { usePhone } from '#/ui/usePhone';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { type ImportResult, type ImportRow, peopleChanged, usersApi } from '../api';
import classes from './ImportDialog.module.css';
import { type ImportLine, importView, key } from './importView';

const MAX = 1024 * 1024;
const HEADERS = ['email', 'name', 'role', 'stores', 'status', 'billable'];
const EXAMPLE = [
  'ana.cruz@company.com',
  'Ana Cruz',
  'Store manager',
  'MKT01;BGC02',
  'Active',
  'no',
];

const OUTCOMES: Record<ImportRow['outcome'], { label: string; tone: Tone; dry: string }> = {
  created: { label: 'Added', dry: 'New', tone: 'ok' },
  updated: { label: 'Changed', dry: 'Changes', tone: 'brand' },
  unchanged: { label: 'Unchanged', dry: 'Unchanged', tone: 'neutral' },
  failed: { label: 'Failed', dry: 'Failed', tone: 'danger' },
};

interface Read {
  name: string;
  file: Blob;
  text: string;
  result: ImportResult;
  committed: boolean;
}

/** Imports users from a file, after a preview of what happens to each row. */
export function ImportDialog({ onClose }: { onClose(): void }) {
  useReturnFocus();
  const phone = usePhone();
  const [read, setRead] = useState<Read | null>(null);
  const [error, setError] = useState<string | null>(null);
  const saving = useSave();
  const { busy } = saving;

  async function send(name: string, file: Blob, commit: boolean): Promise<void> {
    setError(null);
    await saving.run(
      async () => {
        const text = await file.text();
        const result = await usersApi.importCsv(file, !commit);
        setRead({ name, file, text, result, committed: commit });
        if (commit) peopleChanged();
      },
      { refused: ({ message }) => setError(message) },
    );
  }

  function choose(file: File): void {
    if (file.size > MAX) {
      setError(`“${file.name}” is larger than 1 MB. Split it and import the parts.`);
      return;
    }
    void send(file.name, file, false);
  }

  const changes = read ? read.result.created + read.result.updated : 0;
  const next = (): (() => void) | null => {
    if (!read || busy) return null;
    if (read.committed) return onClose;
    return changes > 0 ? () => void send(read.name, read.file, true) : null;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: next() })}
      title={read ? `Import “${read.name}”` : 'Import people'}
      size={read ? 1080 : 620}
      fullScreen={phone}
      classNames={{ title: classes.title, body: classes.body, content: classes.content }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {error && (
        <p role="alert" className={`${textClasses.wrong} ${classes.wrong}`}>
          {error}
        </p>
      )}
      {!read ? (
        <>
          <DropArea
            title={busy ? 'Reading…' : 'Drop a CSV file here, or choose one'}
            hint="Up to 1 MB. Nothing is changed before you have looked at every row."
            accept=".csv,text/csv"
            disabled={busy}
            onFile={choose}
          />
          <p className={classes.text}>
            The first row names the columns: <Names />. People are found by their email; those who
            are new get an invitation. Stores are given by code or name with ; or | between them, or
            as <code>all</code> or <code>none</code>. An empty cell leaves what is there.
          </p>
          <Group justify="space-between" mt="md">
            <Button
              variant="subtle"
              onClick={() => download('people.csv', csvOf([HEADERS, EXAMPLE]))}
            >
              Download a template
            </Button>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
          </Group>
        </>
      ) : (
        <>
          <p className={classes.result} role="status">
            {resultText(read.result, read.committed)}
          </p>
          <Rows read={read} />
          <Group justify="flex-end" mt="md" gap="xs">
            {read.result.failed > 0 && (
              <Button
                variant="subtle"
                className={classes.left}
                onClick={() =>
                  download(failedName(read.name), importView(read.text, read.result).failedCsv)
                }
              >
                Download failed rows
              </Button>
            )}
            {read.committed ? (
              <Button onClick={onClose}>Done</Button>
            ) : (
              <>
                <Button variant="default" onClick={() => setRead(null)}>
                  Choose another file
                </Button>
                <Button
                  loading={busy}
                  disabled={changes === 0}
                  onClick={() => void send(read.name, read.file, true)}
                >
                  {changes === 0 ? 'Nothing to import' : `Import ${plural(changes, 'row')}`}
                </Button>
              </>
            )}
          </Group>
        </>
      )}
    </Modal>
  );
}

const failedName = (name: string) => `${name.replace(/\.\w+$/, '')}-failed.csv`;

function Names() {
  return HEADERS.map((name, i) => (
    <span key={name}>
      {i > 0 && ', '}
      <code>{name}</code>
    </span>
  ));
}

function resultText(
  { created, updated, unchanged, failed }: ImportResult,
  committed: boolean,
): string {
  const parts = committed
    ? [`${count(created)} added`, `${count(updated)} changed`]
    : [`${count(created)} new`, `${count(updated)} to change`];
  return `${[...parts, `${count(unchanged)} unchanged`, `${count(failed)} failed`].join(', ')}.${
    !committed && failed > 0 ? ' Failed rows are left out; the others can be imported now.' : ''
  }`;
}

const STATE = { q: '', sort: null, get: () => '', set: () => {} };

function Rows({ read }: { read: Read }) {
  const view = useMemo(() => importView(read.text, read.result), [read]);
  const { result, committed } = read;
  const [only, setOnly] = useState<'all' | ImportRow['outcome']>(
    result.failed > 0 ? 'failed' : 'all',
  );
  const lines = only === 'all' ? view.lines : view.lines.filter(({ outcome }) => outcome === only);

  const columns = useMemo(() => {
    const shown: Column<ImportLine>[] = [
      {
        id: 'row',
        label: 'Row',
        value: ({ row }) => row,
        number: count,
        width: 60,
        sortable: false,
        phone: 'none',
      },
      {
        id: 'outcome',
        label: 'Outcome',
        value: ({ outcome }) => outcome,
        cell: ({ outcome }) => {
          const { label, dry, tone } = OUTCOMES[outcome];
          return <StatusPill tone={tone}>{committed ? label : dry}</StatusPill>;
        },
        width: 130,
        sortable: false,
        phone: 'end',
      },
    ];
    const faulty = new Set(view.lines.flatMap(({ wrong }) => Object.keys(wrong)));
    view.columns.forEach((name, i) => {
      shown.push({
        // Columns with messages need more width.
        width: i === 0 || faulty.has(key(name)) ? undefined : 130,
        id: `c${i}`,
        label: name,
        value: ({ cells }) => cells[i],
        cell: (line) => <Cell value={line.cells[i] ?? ''} wrong={line.wrong[key(name)]} />,
        primary: i === 0,
        sortable: false,
      });
    });
    if (!view.lines.some((line) => general(line, view.columns))) return shown;
    shown.push({
      id: 'message',
      label: 'Note',
      value: (line) => general(line, view.columns),
      cell: (line) => <Cell value="" wrong={general(line, view.columns)} />,
      sortable: false,
      phone: 'sub',
    });
    return shown;
  }, [view, committed]);

  return (
    <>
      <Segments<'all' | ImportRow['outcome']>
        label="Rows"
        value={only}
        options={[
          { value: 'all', label: `All ${count(view.lines.length)}` },
          ...(['created', 'updated', 'unchanged', 'failed'] as const)
            .filter((outcome) => result[outcome] > 0)
            .map((outcome) => ({
              value: outcome,
              label: `${committed ? OUTCOMES[outcome].label : OUTCOMES[outcome].dry} ${count(result[outcome])}`,
            })),
        ]}
        onChange={setOnly}
      />
      <div className={classes.rows}>
        <DataTable<ImportLine>
          id="users-import"
          title="Rows of the file"
          one="row"
          many="rows"
          bare
          plain
          source={clientSource({
            data: lines,
            isPending: false,
            error: null,
            refetch: (() => Promise.resolve()) as never,
          })}
          columns={columns}
          rowId={({ row }) => String(row)}
          rowLabel={({ row, email }) => email || `row ${row}`}
          state={STATE}
        />
      </div>
    </>
  );
}

/** Problems of a whole row, or of columns that the file does not have. */
function general(line: ImportLine, columns: readonly string[]): string {
  const known = new Set(columns.map(key));
  return [
    line.outcome === 'failed' && line.fields.length === 0 ? line.message : null,
    ...line.fields.filter(({ field }) => !known.has(key(field))).map(({ message }) => message),
  ]
    .filter(Boolean)
    .join(' ');
}

function Cell({ value, wrong }: { value: string; wrong?: string }) {
  if (!wrong) return <>{value}</>;
  return (
    <span className={classes.cell} title={wrong}>
      {value && <span className={classes.value}>{value}</span>}
      <span className={classes.why}>{wrong}</span>
    </span>
  );
}
