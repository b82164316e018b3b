import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { span } from '#/reports/question/weeks';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DropArea } from '#/ui/DropArea';
import { count, moment, money, plural } from '#/ui/format';
import { Shortened } from '#/ui/Shortened';
import { storeOptions, useMyStores } from '#/ui/StoreChoice';
import { lastingError } from '#/ui/toast';
import {
  type Look,
  look,
  type Mapping,
  placeTerminal,
  type Taken,
  takeFile,
  useFiles,
} from './api';
import classes from './Tender.module.css';

const COLUMNS = [
  { name: 'date', label: 'Day of the sale' },
  { name: 'terminal', label: 'Terminal or store' },
  { name: 'gross', label: 'Amount before the fee' },
  { name: 'fee', label: 'Fee' },
  { name: 'net', label: 'Amount paid out' },
  { name: 'label', label: 'Card brand or wallet' },
  { name: 'reference', label: 'Reference' },
] as const;

/** Files shown at once. */
const AT_ONCE = 20;

/** An acquirer's file: its columns, its outcome, and unknown terminals. */
export function SettlementDrawer({ onClose }: { onClose(): void }) {
  const [file, setFile] = useState<{ file: File; look: Look } | null>(null);
  const [mapping, setMapping] = useState<Partial<Mapping>>({});
  const [taken, setTaken] = useState<Taken | null>(null);
  const saving = useSave();
  const mayOverride = useCan('sales/tenderReport', 'override');
  const [reason, setReason] = useState('');
  const error = (name: string) => saving.errorOf(`mapping.${name}`);

  const choose = (chosen: File) =>
    saving.run(async () => {
      setTaken(null);
      // About the previous file.
      setReason('');
      const found = await look(chosen);
      setMapping(found.mapping);
      setFile({ file: chosen, look: found });
    });
  const take = () =>
    saving.run(async () => {
      if (!file) return;
      setTaken(await takeFile(file.file, mapping, reason.trim()));
      setFile(null);
    });

  return (
    <DrawerFrame opened title="Settlement file" size={640} onClose={onClose}>
      <DrawerForm
        shortcut={file !== null}
        shortcutShown={false}
        onSubmit={() => void take()}
        buttons={
          <>
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            {file && (
              <Button type="submit" loading={saving.busy}>
                Take {plural(file.look.total, 'row')}
              </Button>
            )}
          </>
        }
      >
        <div className={classes.form}>
          <SaveProblem save={saving} of="all" />
          {taken && <Told taken={taken} />}
          {file ? (
            <>
              <p className={classes.section}>
                <b>{file.file.name}</b>: say which column is what.
              </p>
              <div className={classes.pair}>
                {COLUMNS.map(({ name, label }) => (
                  <Select
                    key={name}
                    label={label}
                    placeholder="Not in this file"
                    clearable
                    clearButtonProps={{ 'aria-label': `No ${label}` }}
                    data={file.look.columns.map((column, at) => ({
                      value: String(at),
                      label: column || `Column ${at + 1}`,
                    }))}
                    value={mapping[name] == null ? null : String(mapping[name])}
                    error={error(name)}
                    onChange={(at) =>
                      setMapping((now) => ({ ...now, [name]: at === null ? null : Number(at) }))
                    }
                  />
                ))}
                <Select
                  label="Rows without a brand are"
                  data={[
                    { value: 'card', label: 'Card' },
                    { value: 'eWallet', label: 'E-wallet' },
                  ]}
                  allowDeselect={false}
                  value={mapping.kind ?? 'card'}
                  onChange={(kind) => setMapping((now) => ({ ...now, kind }))}
                />
              </div>
              {mayOverride && (
                <TextInput
                  label="Reason for older days"
                  description="Lines of days too far back are left out unless you say why they come so late."
                  maxLength={500}
                  value={reason}
                  error={saving.errorOf('reason')}
                  onChange={(event) => setReason(event.currentTarget.value)}
                />
              )}
              <section className={classes.scroll} tabIndex={0} aria-label="First rows of the file">
                <table className={classes.lines}>
                  <thead>
                    <tr>
                      {file.look.columns.map((column, at) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: columns may have the same name
                        <th key={at}>{column}</th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {file.look.rows.map((row, at) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file have no id
                      <tr key={at}>
                        {row.map((cell, i) => (
                          // biome-ignore lint/suspicious/noArrayIndexKey: nor do cells
                          <td key={i}>{cell}</td>
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
            </>
          ) : (
            <DropArea
              title="Drop the acquirer's file here"
              hint="CSV or Excel, with the day, the terminal, the amount and the fee. The same file twice changes nothing."
              accept=".csv,.txt,.xlsx"
              disabled={saving.busy}
              onFile={(chosen) => void choose(chosen)}
            />
          )}
          <Unknown />
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}

function Told({ taken }: { taken: Taken }) {
  return (
    <>
      <p className={classes.told} role="status">
        {plural(taken.added, 'new line')}
        {taken.known > 0 && `, ${taken.known} known already`}
        {taken.unmatched > 0 && `, ${taken.unmatched} of unknown terminals`}.
      </p>
      {taken.problems.length > 0 && (
        <ul>
          {taken.problems.map(({ line, reason }) => (
            <li key={line}>
              Line {line}: {reason}
            </li>
          ))}
        </ul>
      )}
      <Shortened
        shown={taken.problems.length}
        total={taken.leftOut}
        many="lines that were left out"
        hint="Correct these in the file and send it again to see the others."
      />
    </>
  );
}

/** Unknown terminals, and the latest files. */
function Unknown() {
  const [limit, setLimit] = useState(AT_ONCE);
  const { data } = useFiles(limit);
  const { stores } = useMyStores();
  if (!data) return null;
  return (
    <>
      {data.unknown.length > 0 && (
        <section className={classes.section}>
          <h3>Unknown terminals</h3>
          <p>Choose the store of each; its lines then count there.</p>
          {data.unknown.map((one) => (
            <div key={one.terminal} className={classes.pair}>
              <span>
                <b>{one.terminal}</b>
                <br />
                {plural(one.lines, 'line')}, {money(one.gross)}, {span(one)}
              </span>
              <Select
                aria-label={`Store of ${one.terminal}`}
                placeholder="Choose a store"
                searchable
                data={storeOptions(stores)}
                value={null}
                onChange={(storeId) => {
                  if (!storeId) return;
                  placeTerminal(one.terminal, storeId).catch((refused: unknown) =>
                    lastingError(Problem.of(refused).message),
                  );
                }}
              />
            </div>
          ))}
          <Shortened
            shown={data.unknown.length}
            total={data.unknownTotal}
            many="terminals"
            hint="The others come up as these are assigned."
          />
        </section>
      )}
      {data.files.length > 0 && (
        <section className={classes.section}>
          <h3>Files received</h3>
          <table className={classes.lines}>
            <tbody>
              {data.files.map((one) => (
                <tr key={one.id}>
                  <td>{one.fileName}</td>
                  <td>
                    {moment(one.createdAt)}, {one.createdBy.name}
                  </td>
                  <td className={classes.num}>
                    {one.added} new, {one.known} known
                    {one.leftOut > 0 && `, ${one.leftOut} left out`}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          {data.total > data.files.length && (
            <Button mt={8} size="xs" variant="default" onClick={() => setLimit(limit + AT_ONCE)}>
              Show more of {count(data.total)}
            </Button>
          )}
        </section>
      )}
    </>
  );
}
