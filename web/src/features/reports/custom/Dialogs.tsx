import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { done } from '#/ui/toast';
import { create, type Draft, update, usePeople } from './api';
import classes from './Builder.module.css';
import type { Definition, Report } from './types';

interface SaveProps {
  title: string;
  confirm: string;
  /** What stands in the fields at first. */
  name: string;
  about: string;
  /** Makes a new one of this definition, or changes that report. */
  report?: Report;
  definition?: Definition;
  onSaved(report: Report): void;
  onClose(): void;
}

/** Gives a report its name; with a report it renames that one. */
export function SaveDialog(props: SaveProps) {
  const { title, confirm, report, definition, onSaved, onClose } = props;
  const [name, setName] = useState(props.name);
  const [about, setAbout] = useState(props.about);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const made = report
        ? await update(report, { name, about })
        : definition && (await create({ name, about, definition, everybody: false, roles: [] }));
      if (made) onSaved(made);
    } catch (error) {
      setProblem(Problem.of(error));
      setBusy(false);
    }
  }

  const at = (field: string) => problem?.fields.find((one) => one.field === field)?.message;
  return (
    <Dialog
      opened
      title={title}
      confirm={confirm}
      keep="Cancel"
      busy={busy}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <form
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextInput
          label="Name"
          data-autofocus
          maxLength={100}
          value={name}
          error={at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Textarea
          label="What it is for"
          placeholder="Optional"
          autosize
          minRows={2}
          maxLength={500}
          value={about}
          error={at('about')}
          onChange={(event) => setAbout(event.currentTarget.value)}
        />
        {problem && !at('name') && !at('about') && <ErrorBox focus>{problem.message}</ErrorBox>}
      </form>
    </Dialog>
  );
}

/** Who sees a report: nobody else, some roles, or everybody who may see reports. */
export function ShareDialog({ report, onClose }: { report: Report; onClose(): void }) {
  const mayEdit = useCan('reports/reports', 'edit');
  const people = usePeople();
  const [everybody, setEverybody] = useState(report.everybody);
  const [roles, setRoles] = useState(report.roles.map(({ id }) => id));
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    try {
      const patch: Partial<Draft> = { everybody, roles };
      await update(report, patch);
      done(everybody || roles.length > 0 ? 'Report shared' : 'Report is yours alone');
      onClose();
    } catch (error) {
      setProblem(Problem.of(error));
      setBusy(false);
    }
  }

  const failed = problem ?? (people.error && Problem.of(people.error));
  return (
    <Dialog
      opened
      title={`Share «${report.name}»`}
      confirm="Save sharing"
      keep="Cancel"
      busy={busy}
      disabled={!mayEdit}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      <div className={classes.form}>
        <Checkbox
          label="Everyone who may see reports"
          checked={everybody}
          data-autofocus
          onChange={(event) => setEverybody(event.currentTarget.checked)}
        />
        <MultiSelect
          label="Roles"
          placeholder={roles.length === 0 ? 'Choose roles' : undefined}
          data={(people.data?.roles ?? report.roles).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
          value={roles}
          disabled={everybody}
          searchable
          onChange={setRoles}
        />
        <p className={classes.quiet}>
          People see the figures of their own stores, and only with the right to the data it is
          about.
        </p>
        {failed && <ErrorBox focus>{failed.message}</ErrorBox>}
      </div>
    </Dialog>
  );
}
