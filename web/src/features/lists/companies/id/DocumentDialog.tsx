import { Button, Group, Modal } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { Fields } from '#/form/Fields';
import { SaveProblem } from '#/form/SaveProblem';
import type { Field, FormValues } from '#/form/types';
import { useSave } from '#/form/useSave';
import { changedFields, fromRecord, toWire, validate } from '#/form/values';
import { compare } from '#/form/versions';
import { confirmKeys } from '#/ui/confirmKeys';
import { DropArea } from '#/ui/DropArea';
import { bytes } from '#/ui/format';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './DocumentDialog.module.css';
import { ACCEPT, type CompanyDocument, documentsApi, KINDS, rejectReason } from './documents';

const FIELDS: readonly Field[] = [
  {
    kind: 'choice',
    name: 'kind',
    label: 'Kind',
    options: KINDS,
    initial: 'mayorPermit',
    wide: true,
  },
  { kind: 'text', name: 'title', label: 'Title', required: true, max: 200, wide: true },
  { kind: 'text', name: 'number', label: 'Number', max: 100, wide: true },
  { kind: 'date', name: 'issued', label: 'Issued' },
  { kind: 'date', name: 'expires', label: 'Expires' },
];

const LABELS = Object.fromEntries(FIELDS.map(({ name, label }) => [name, label]));

interface Props {
  companyId: string;
  document: CompanyDocument | null;
  onSaved(created: boolean): void;
  onClose(): void;
}

/** Adds or edits a permit or registration with its file. */
export function DocumentDialog({ companyId, document, onSaved, onClose }: Props) {
  useReturnFocus();
  const [file, setFile] = useState<File | null>(null);
  const [wrongFile, setWrongFile] = useState<string | null>(null);
  const saving = useSave<CompanyDocument>({ revision: document?.revision });
  const form = useForm<FormValues>({
    initialValues: fromRecord(FIELDS, document),
    validateInputOnBlur: true,
    validate: (values) => validate(FIELDS, values),
  });

  function choose(chosen: File): void {
    const why = rejectReason(chosen);
    setWrongFile(why);
    if (why) return;
    setFile(chosen);
    if (!form.values.title) {
      form.setFieldValue('title', chosen.name.replace(/\.[a-z0-9]+$/i, '').slice(0, 200));
    }
  }

  async function save(): Promise<void> {
    const wrong = validate(FIELDS, form.values);
    const { issued, expires } = form.values;
    if (issued && expires && String(expires) < String(issued)) {
      wrong.expires = 'It can’t run out before it was issued.';
    }
    form.setErrors(wrong);
    if (!document && !file) setWrongFile('Choose the file first.');
    if (Object.keys(wrong).length > 0 || (!document && !file)) return;
    const wire = toWire(FIELDS, form.values);
    await saving.run(
      async (revision) => {
        if (document) {
          const changed = changedFields(toWire(FIELDS, fromRecord(FIELDS, document)), wire);
          await documentsApi.update(companyId, document.id, revision ?? 0, changed);
        } else if (file) {
          await documentsApi.add(companyId, file, wire);
        }
      },
      {
        onSaved: () => onSaved(!document),
        refused: ({ fields }) =>
          form.setErrors(Object.fromEntries(fields.map(({ field, message }) => [field, message]))),
      },
    );
  }

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: saving.busy ? null : () => void save() })}
      title={document ? 'Edit document' : 'Add document'}
      size={560}
      classNames={{ title: classes.heading }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        noValidate
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SaveProblem
          save={saving}
          of="all"
          versions={(theirs) =>
            compare(LABELS, form.values as Record<string, unknown>, fromRecord(FIELDS, theirs))
          }
          onTheirs={(theirs) => {
            form.setValues(fromRecord(FIELDS, theirs));
            saving.setProblem(null);
          }}
        />
        {!document &&
          (file ? (
            <div className={classes.file}>
              <IconFileText size={20} stroke={1.6} aria-hidden />
              <span className={classes.name}>{file.name}</span>
              <span className={classes.size}>{bytes(file.size)}</span>
              <Button size="compact-sm" variant="subtle" onClick={() => setFile(null)}>
                Choose another
              </Button>
            </div>
          ) : (
            <DropArea
              title="Drop the file here or choose one"
              hint="PDF, JPEG, PNG or WebP, up to 20 MB"
              accept={ACCEPT}
              onFile={choose}
            />
          ))}
        {wrongFile && (
          <p className={classes.wrong} role="alert">
            {wrongFile}
          </p>
        )}
        <Fields fields={FIELDS} form={form} />
        <Group justify="flex-end" mt="xs" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={saving.busy}>
            {document ? 'Save document' : 'Add document'}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
