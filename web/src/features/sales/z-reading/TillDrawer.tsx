import { ActionIcon, Autocomplete, Button, Checkbox, Select, TextInput } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { DrawerForm, DrawerNote, DrawerSection } from '#/form/DrawerForm';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { to } from '#/paths';
import { DateField } from '#/ui/DateField';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { day, moment } from '#/ui/format';
import { tinText } from '#/ui/tin';
import { askReadings, KEY, setTill, teachTill, useReading, type ZTerminalRow } from './api';
import { TAUGHT } from './fields';
import { Picture } from './Picture';
import { labelIn, taughtOf, without } from './till';
import classes from './ZReading.module.css';

interface Props {
  till: ZTerminalRow;
  name: string;
  onClose(): void;
}

const MACHINE = [
  { name: 'min', label: 'MIN', hint: 'Machine identification number' },
  { name: 'serial', label: 'Serial no.', hint: '' },
  { name: 'ptu', label: 'PTU', hint: 'Permit to use' },
  { name: 'tin', label: 'TIN', hint: '' },
] as const;

const LABELS = {
  basis: 'The grand total grows by',
  vat: 'VATable sales are printed',
  offFrom: 'Switched off from',
  prints: 'Prints Z-readings',
  ...Object.fromEntries(MACHINE.map(({ name, label }) => [name, label])),
};

const valuesOf = ({ basis, vat, offFrom, prints, min, serial, ptu, tin }: ZTerminalRow) => ({
  basis,
  vat,
  offFrom: offFrom ?? '',
  prints: prints === false ? 'no' : 'yes',
  min: min ?? '',
  serial: serial ?? '',
  ptu: ptu ?? '',
  tin: tinText(tin ?? ''),
});

const tillsChanged = () => queries.invalidateQueries({ queryKey: [...KEY, 'terminals'] });

/** A till's calculation rules, machine number and printed words. */
export function TillDrawer({ till, name, onClose }: Props) {
  const mayEdit = useCan('sales/zReading', 'edit');
  const [values, setValues] = useState(() => valuesOf(till));
  const saving = useSave<ZTerminalRow>({ revision: till.revision });
  const { errorOf } = saving;
  const set = (field: string, value: string) => setValues((now) => ({ ...now, [field]: value }));

  const put = (more: object, outcome: { as: string; said: string; onSaved?(): void }) =>
    saving.run(async (revision) => {
      const { prints, offFrom, ...rest } = values;
      const kept = await setTill(till, {
        ...rest,
        offFrom: offFrom || null,
        tin: tinText(values.tin),
        prints: prints === 'yes',
        ...more,
        revision: revision ?? 0,
      });
      await tillsChanged();
      return kept;
    }, outcome);
  const save = () => put({}, { as: 'save', said: 'Till saved', onSaved: onClose });
  const forget = (gone: { label?: string; seen: string }) =>
    put({ template: without(till, gone) }, { as: 'forget', said: 'Forgotten' });
  const teach = async (label: string, field: string, absent: boolean) => {
    const taught = await saving.run(
      async () => {
        const kept = await teachTill(till, { label, field, absent });
        await tillsChanged();
        return kept;
      },
      { as: 'teach', said: 'The till knows it now' },
    );
    return taught !== null;
  };

  return (
    <DrawerFrame opened title={name} size={560} onClose={onClose}>
      <DrawerForm
        shortcut={mayEdit}
        shortcutShown={mayEdit}
        onSubmit={() => void save()}
        buttons={
          <>
            <Button variant="default" onClick={onClose}>
              {mayEdit ? 'Cancel' : 'Close'}
            </Button>
            {mayEdit && (
              <Button type="submit" loading={saving.doing === 'save'}>
                Save till
              </Button>
            )}
          </>
        }
      >
        <SaveProblem
          save={saving}
          versions={(theirs) => compare(LABELS, values, valuesOf(theirs))}
          onTheirs={(theirs) => {
            setValues(valuesOf(theirs));
            saving.setProblem(null);
          }}
        />
        <DrawerSection title="How it calculates">
          <Select
            label="The grand total grows by"
            data={[
              { value: 'net', label: 'Net sales' },
              { value: 'gross', label: 'Gross sales' },
            ]}
            value={values.basis}
            allowDeselect={false}
            readOnly={!mayEdit}
            error={errorOf('basis')}
            onChange={(value) => set('basis', value ?? 'net')}
          />
          <Select
            label="VATable sales are printed"
            mt={12}
            data={[
              { value: 'exclusive', label: 'Without VAT: VAT is 12% of them' },
              { value: 'inclusive', label: 'With VAT: VAT is 12/112 of them' },
            ]}
            value={values.vat}
            allowDeselect={false}
            readOnly={!mayEdit}
            error={errorOf('vat')}
            onChange={(value) => set('vat', value ?? 'exclusive')}
          />
        </DrawerSection>
        <DrawerSection title="Which days need a reading">
          <DateField
            label="Switched off from"
            description="From this day on it needs a reading only if it sold something."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.offFrom}
            readOnly={!mayEdit}
            error={errorOf('offFrom')}
            onChange={(value) => set('offFrom', value)}
          />
          <Checkbox
            label="Prints Z-readings"
            description="A delivery app sells without printing any."
            mt={12}
            checked={values.prints === 'yes'}
            disabled={!mayEdit}
            onChange={(event) => set('prints', event.currentTarget.checked ? 'yes' : 'no')}
          />
        </DrawerSection>
        <DrawerSection title="Which machine it is">
          <div className={classes.pair}>
            {MACHINE.map(({ name: field, label, hint }) => (
              <TextInput
                key={field}
                label={label}
                description={hint || undefined}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                value={values[field]}
                readOnly={!mayEdit}
                error={errorOf(field)}
                onChange={(event) => set(field, event.currentTarget.value)}
                onBlur={field === 'tin' ? () => set('tin', tinText(values.tin)) : undefined}
              />
            ))}
          </div>
          <p className={classes.muted}>
            A picture with this MIN or TIN is known to be of this till.
          </p>
        </DrawerSection>
        <DrawerSection title="Its own words">
          <Labels till={till} busy={saving.busy} onForget={mayEdit ? forget : undefined} />
          {mayEdit && <NewWord till={till} busy={saving.doing === 'teach'} onTeach={teach} />}
        </DrawerSection>
        <DrawerNote>
          {till.revision > 0
            ? `Set by ${till.updatedBy.name}, ${moment(till.updatedAt)}`
            : 'Nothing is set yet: the default settings apply.'}
        </DrawerNote>
      </DrawerForm>
    </DrawerFrame>
  );
}

interface LabelsProps {
  till: ZTerminalRow;
  busy: boolean;
  onForget?: ((gone: { label?: string; seen: string }) => void) | undefined;
}

/** Its taught words, each with its field. */
function Labels({ till, busy, onForget }: LabelsProps) {
  const { words, absent } = taughtOf(till);
  if (words.length + absent.length === 0)
    return (
      <p className={classes.muted}>The usual words are looked for. Teach it what it calls them.</p>
    );
  const line = (says: string, field: string, gone: { label?: string; seen: string }) => (
    <li key={`${says} ${field}`}>
      <span>
        <b>{says}</b> {gone.label === undefined ? 'is not printed' : `is ${field}`}
      </span>
      {onForget && (
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={busy}
          aria-label={`Forget ${says}`}
          onClick={() => onForget(gone)}
        >
          <IconX size={16} aria-hidden />
        </ActionIcon>
      )}
    </li>
  );
  return (
    <ul className={classes.words} aria-label="Taught words">
      {words.map(({ label, seen, field }) => line(`«${label}»`, field, { label, seen }))}
      {absent.map(({ seen, field }) => line(field, '', { seen }))}
    </ul>
  );
}

interface NewWordProps {
  till: ZTerminalRow;
  busy: boolean;
  onTeach(label: string, field: string, absent: boolean): Promise<boolean>;
}

/** A new word: chosen on the till's last picture, or typed. */
function NewWord({ till, busy, onTeach }: NewWordProps) {
  const [line, setLine] = useState('');
  const [field, setField] = useState<string | null>(null);
  const last = useLastPicture(till);
  const lines = last?.read?.lines ?? [];
  const label = labelIn(line);
  const teach = async (absent: boolean) => {
    if (field && (await onTeach(label, field, absent))) {
      setLine('');
      setField(null);
    }
  };
  return (
    <>
      {last?.picture && (
        <>
          <div className={classes.lastPicture}>
            <Picture id={last.id} focus={null} lines={lines} onLine={({ text }) => setLine(text)} />
          </div>
          <p className={classes.muted}>
            Choose a line on the picture of {day(last.businessDate)}, then say what it stands for.{' '}
            <Link
              to={to('salesZReadingOne', { id: last.id }, { teach: '1' })}
              className={classes.link}
            >
              Open it beside the form
            </Link>
          </p>
        </>
      )}
      <div className={classes.pair}>
        <Autocomplete
          label="The till prints"
          placeholder={lines.length > 0 ? 'Choose a line' : 'Such as TOTAL BENTA'}
          data={[...new Set(lines.map(({ text }) => text))]}
          value={line}
          onChange={setLine}
        />
        <Select
          label="That is"
          placeholder="Choose a field"
          searchable
          data={TAUGHT.map((one) => ({ value: one.seen ?? '', label: one.label }))}
          value={field}
          onChange={setField}
        />
      </div>
      <div className={classes.filters}>
        <Button
          variant="light"
          disabled={!label || !field}
          loading={busy}
          onClick={() => void teach(false)}
        >
          Keep «{label || '…'}»
        </Button>
        <Button
          variant="default"
          disabled={!field || line !== ''}
          loading={busy}
          onClick={() => void teach(true)}
        >
          It does not print it
        </Button>
      </div>
    </>
  );
}

/** A till's newest reading with a picture. */
function useLastPicture({ storeId, terminalId }: ZTerminalRow) {
  const { data: id } = useQuery({
    queryKey: [...KEY, 'lastPicture', storeId, terminalId],
    queryFn: async ({ signal }) => {
      const { items } = await askReadings(
        { storeId, terminalId, sort: '-date', pageSize: 20 },
        signal,
      );
      return items.find(({ source }) => source === 'picture')?.id ?? 'new';
    },
  });
  // «new» requests nothing.
  return useReading(id ?? 'new').data;
}
