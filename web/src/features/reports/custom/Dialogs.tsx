import { Checkbox, MultiSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { askReport, create, update, usePeople } from './api';
import classes from './Builder.module.css';
import type { Definition, Report } from './types';

interface SaveProps {
  title: string;
  confirm: string;
  /** The initial name. */
  name: string;
  about: string;
  /** The report to change; absent for a new one of this definition. */
  report?: Report;
  definition?: Definition;
  onSaved(report: Report): void;
  onClose(): void;
}

const LABELS = { name: 'Name', about: 'What it is for' };

/** Names a new report, or renames the given one. */
export function SaveDialog(props: SaveProps) {
  const { title, confirm, report, definition, onSaved, onClose } = props;
  const [name, setName] = useState(props.name);
  const [about, setAbout] = useState(props.about);
  const saving = useSave<Report>({
    revision: report?.revision,
    reload: report && (() => askReport(report.id)),
  });
  const at = saving.errorOf;

  const save = () =>
    saving.run(
      async (revision) => {
        if (report) return update({ ...report, revision: revision ?? 0 }, { name, about });
        return definition && create({ name, about, definition, everybody: false, roles: [] });
      },
      { onSaved: (made) => made && onSaved(made) },
    );

  return (
    <Dialog
      opened
      title={title}
      confirm={confirm}
      keep="Cancel"
      busy={saving.busy}
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
          // A proposed name is replaced by typing.
          onFocus={(event) => !report && event.currentTarget.select()}
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
        {!at('name') && !at('about') && (
          <SaveProblem
            save={saving}
            of="all"
            versions={(theirs) => compare(LABELS, { name, about }, theirs)}
            onTheirs={(theirs) => {
              setName(theirs.name);
              setAbout(theirs.about);
              saving.setProblem(null);
            }}
          />
        )}
      </form>
    </Dialog>
  );
}

const SHARED = { everybody: 'Everybody who may see reports', roles: 'Roles' };

/** Sets who sees a report: only its owner, some roles, or all who may see reports. */
export function ShareDialog({ report, onClose }: { report: Report; onClose(): void }) {
  const mayEdit = useCan('reports/reports', 'edit');
  const people = usePeople();
  const [everybody, setEverybody] = useState(report.everybody);
  const [roles, setRoles] = useState(report.roles.map(({ id }) => id));
  const saving = useSave<Report>({
    revision: report.revision,
    reload: () => askReport(report.id),
  });

  const save = () =>
    saving.run((revision) => update({ ...report, revision: revision ?? 0 }, { everybody, roles }), {
      said: everybody || roles.length > 0 ? 'Report shared' : 'Report is yours alone',
      onSaved: onClose,
    });
  const rolesOf = (ids: readonly string[]) =>
    (people.data?.roles ?? report.roles)
      .filter(({ id }) => ids.includes(id))
      .map(({ name }) => name);

  return (
    <Dialog
      opened
      title={`Share «${report.name}»`}
      confirm="Save sharing"
      keep="Cancel"
      busy={saving.busy}
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
        {people.error && <ErrorBox focus>{Problem.of(people.error).message}</ErrorBox>}
        <SaveProblem
          save={saving}
          of="all"
          versions={(theirs) =>
            compare(
              SHARED,
              { everybody, roles: rolesOf(roles) },
              { ...theirs, roles: theirs.roles.map(({ name }) => name) },
            )
          }
          onTheirs={(theirs) => {
            setEverybody(theirs.everybody);
            setRoles(theirs.roles.map(({ id }) => id));
            saving.setProblem(null);
          }}
        />
      </div>
    </Dialog>
  );
}
