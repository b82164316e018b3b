import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useSave } from '#/form/useSave';
import { ErrorBox } from '#/ui/ErrorBox';
import { done } from '#/ui/toast';
import { readingChanged, takeStep, teachTill, type ZReading } from '../api';
import { TAUGHT } from '../fields';
import { labelIn } from '../till';
import classes from './Review.module.css';

interface Props {
  reading: ZReading;
  /** The line selected on the picture. */
  line: string | null;
  onLine(text: string | null): void;
  onOver(): void;
}

/** Teaches a till's words: a line on the picture and its field, for this till's next pictures. */
export function Teach({ reading, line, onLine, onOver }: Props) {
  const [field, setField] = useState<string | null>(null);
  const [taught, setTaught] = useState(0);
  const saving = useSave();
  const label = line === null ? '' : labelIn(line);
  const { terminalId, id, revision } = reading;

  const teach = (absent: boolean) =>
    saving.run(async () => {
      if (!field) return;
      await teachTill(reading, { label, field, absent });
      setTaught((n) => n + 1);
      setField(null);
      onLine(null);
      done('The till knows it now');
    });
  const again = () =>
    saving.run(async () => {
      readingChanged(await takeStep(id, 'read', revision));
      onOver();
    });

  return (
    <section className={classes.first} aria-label="Teach this till’s words">
      <h2>Teach till {terminalId} its words</h2>
      <p className={classes.says}>
        Choose a line on the picture, then say what it stands for. The next pictures of this till
        are read by it.
      </p>
      {saving.problem && <ErrorBox>{saving.problem.message}</ErrorBox>}
      <div className={classes.teach}>
        <TextInput
          label="The till prints"
          placeholder="Choose a line on the picture"
          value={line ?? ''}
          onChange={(event) => onLine(event.currentTarget.value || null)}
        />
        <Select
          label="That is"
          placeholder="Choose a field"
          searchable
          data={TAUGHT.map((one) => ({ value: one.seen ?? '', label: one.label }))}
          value={field}
          onChange={setField}
        />
        <Button disabled={!label || !field} loading={saving.busy} onClick={() => void teach(false)}>
          Keep «{label || '…'}»
        </Button>
        <Button
          variant="default"
          disabled={!field}
          loading={saving.busy}
          onClick={() => void teach(true)}
        >
          This till does not print it
        </Button>
      </div>
      <div className={classes.teach}>
        <Button variant="default" onClick={onOver}>
          Close
        </Button>
        {taught > 0 && (
          <Button variant="light" loading={saving.busy} onClick={() => void again()}>
            Read the picture again
          </Button>
        )}
      </div>
    </section>
  );
}
