import { ActionIcon, Button, Group, Modal, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { FieldInput } from '#/form/FieldInput';
import { SaveProblem } from '#/form/SaveProblem';
import type { FormValues } from '#/form/types';
import type { Saved } from '#/form/useRecordForm';
import { useSave } from '#/form/useSave';
import { fromRecord, toWire, validate } from '#/form/values';
import { confirmKeys } from '#/ui/confirmKeys';
import { NoticeBox } from '#/ui/ErrorBox';
import { count, plural } from '#/ui/format';
import textClasses from '#/ui/Text.module.css';
import { useReturnFocus } from '#/ui/useReturnFocus';
import type { ListApi } from '../api';
import type { ListDef } from '../define';
import { fieldsFor } from '../parents';
import { capitalize } from '../useDelete';
import type { UndoStep } from '../useUndo';
import classes from './BulkDialog.module.css';
import { Outcomes } from './Outcomes';
import { type SentInParts, sendInParts } from './send';

interface Props<T extends Saved> {
  def: ListDef<T>;
  api: ListApi<T>;
  records: readonly T[];
  rows: readonly (T | undefined)[];
  label(record: T): string;
  changed(): void;
  offer(step: UndoStep): void;
  /** Called when all records were changed. */
  onDone(): void;
  onClose(): void;
}

/** Sets chosen fields of several records; lists those that could not be changed. */
export function BulkDialog<T extends Saved>(props: Props<T>) {
  useReturnFocus();
  const { def, api, records, rows, changed, offer, onDone, onClose } = props;
  const all = useMemo(
    () =>
      fieldsFor(def, rows, null).filter(
        ({ kind, name }) =>
          kind !== 'table' &&
          name !== def.name &&
          name !== 'code' &&
          !def.identify?.some((one) => one === name),
      ),
    [def, rows],
  );
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const saving = useSave();
  const [sent, setSent] = useState<SentInParts | null>(null);
  const fields = chosen.flatMap((name) => all.filter((field) => field.name === name));
  const form = useForm<FormValues>({
    initialValues: fromRecord(all, null),
    validate: (values) => validate(fields, values),
  });
  const many = plural(records.length, def.one, def.many);

  async function save(): Promise<void> {
    const wrong = validate(fields, form.values);
    form.setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    await saving.run(
      async () => {
        const outcome = await sendInParts(api, records, toWire(fields, form.values), props.label);
        changed();
        if (outcome.done.length > 0) {
          offer({
            message: `${plural(outcome.done.length, def.one, def.many)} changed`,
            records: outcome.done,
          });
        }
        if (outcome.failed.length === 0) onDone();
        else setSent(outcome);
      },
      {
        refused: ({ fields: found }) => {
          form.setErrors(Object.fromEntries(found.map(({ field, message }) => [field, message])));
          changed();
        },
      },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({
        confirm: sent ? onDone : saving.busy || fields.length === 0 ? null : () => void save(),
      })}
      title={sent ? `${capitalize(def.many)} that stayed` : `Edit ${many}`}
      size={520}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {sent ? (
        <>
          <NoticeBox>
            {count(sent.done.length)} changed, {count(sent.failed.length)} stayed as{' '}
            {sent.failed.length === 1 ? 'it was' : 'they were'}.
          </NoticeBox>
          <Outcomes rows={sent.failed} />
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={() => setSent(null)}>
              Back
            </Button>
            <Button onClick={onDone}>Done</Button>
          </Group>
        </>
      ) : (
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <SaveProblem save={saving} of="all" />
          <p className={textClasses.dialogText}>
            Choose what to set. Fields that are not chosen stay as they are in every record.
          </p>
          <div className={classes.fields}>
            {fields.map((field) => (
              <div key={field.name} className={classes.field}>
                <div className={classes.input}>
                  <FieldInput
                    field={{ ...field, hint: field.required ? field.hint : EMPTIES(field.kind) }}
                    form={form}
                  />
                </div>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="lg"
                  aria-label={`Leave ${field.label.toLowerCase()} as it is`}
                  onClick={() => setChosen(chosen.filter((name) => name !== field.name))}
                >
                  <IconX size={17} stroke={1.7} />
                </ActionIcon>
              </div>
            ))}
          </div>
          {chosen.length < all.length && (
            <Select
              aria-label="Field to set"
              placeholder={chosen.length === 0 ? 'Choose a field' : 'Add another field'}
              data={all
                .filter(({ name }) => !chosen.includes(name))
                .map(({ name, label }) => ({ value: name, label }))}
              value={null}
              searchable
              openOnFocus={false}
              data-autofocus
              nothingFoundMessage="Nothing matches"
              onChange={(name) => name && setChosen([...chosen, name])}
            />
          )}
          <Group justify="flex-end" mt="lg" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={saving.busy} disabled={fields.length === 0}>
              Change {many}
            </Button>
          </Group>
        </form>
      )}
    </Modal>
  );
}

const EMPTIES = (kind: string) =>
  kind === 'boolean' || kind === 'choice' ? undefined : 'Left empty, it is emptied in all of them.';
