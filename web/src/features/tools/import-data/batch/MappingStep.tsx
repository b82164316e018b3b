import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMapping } from '#/imports/useMapping';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { importApi } from '../api';
import { inSentence } from '../labels';
import { lacking, missing, proposed } from '../mapping';
import { isBusy } from '../states';
import type { Batch, ImportList, Mapping } from '../types';
import { ColumnLines } from './ColumnLines';
import classes from './MappingStep.module.css';
import { Matching } from './Matching';
import { Writing } from './Writing';

interface Props {
  batch: Batch;
  list: ImportList;
  /** The earlier mapping does not apply. */
  anew: boolean;
  onMapped(batch: Batch): void;
  onSheet(batch: Batch): void;
}

/** Sets each column's meaning, the matching field, and the file's formats. */
export function MappingStep({ batch, list, anew, onMapped, onSheet }: Props) {
  const { layout } = batch;
  const [mapping, setMapping] = useState(() =>
    proposed(layout, list, anew ? null : (batch.mapping as Mapping | undefined)),
  );
  const { busy, refused, send } = useMapping(({ field, message }) => {
    const label = list.fields.find(({ name }) => name === field)?.label;
    return label ? `${label}: ${message}` : message;
  });
  const change = (part: Partial<Mapping>) => setMapping({ ...mapping, ...part });
  const todo = missing(list, mapping);
  const lacks = lacking(list, mapping);
  const used = Object.keys(mapping.columns).length;

  const map = (what: Mapping, then: (batch: Batch) => void) =>
    send(async () => then(await importApi.map(batch.id, what)));

  // The server reads another sheet only with a mapping. No record has an id of this kind, so this one column has no
  // effect.
  const readSheet = (sheet: string) =>
    map({ ...mapping, sheet, columns: { id: 0 }, match: 'id' }, onSheet);

  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        void map(mapping, onMapped);
      }}
      onKeyDown={(event) => {
        // Enter chooses from a list; one press too many must not submit the form.
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
          event.preventDefault();
        }
      }}
    >
      <Panel
        title="What does each column mean?"
        aside={
          <span className={classes.hint}>
            {used} of {plural(layout.columns.length, 'column')} used
          </span>
        }
      >
        <ColumnLines layout={layout} list={list} mapping={mapping} onChange={setMapping} />
      </Panel>
      <Matching list={list} mapping={mapping} onChange={change} />
      <Writing
        layout={layout}
        list={list}
        mapping={mapping}
        busy={busy}
        onChange={change}
        onSheet={(sheet) => void readSheet(sheet)}
      />
      {todo.length === 0 && lacks.length > 0 && (
        <p className={classes.notice}>
          There is no column for {lacks.map(({ label }) => label).join(', ')}. Rows that match none
          of the {inSentence(list.label)} there are cannot become new ones without it.
        </p>
      )}
      {todo.map((words) => (
        <p key={words} className={classes.notice}>
          {words}
        </p>
      ))}
      {refused.map((words) => (
        <ErrorBox key={words}>{words}</ErrorBox>
      ))}
      <div className={classes.foot}>
        <span className={classes.hint}>Nothing changes yet: first you see what would.</span>
        <Button type="submit" loading={busy || isBusy(batch.state)} disabled={todo.length > 0}>
          Check every row
        </Button>
      </div>
    </form>
  );
}
