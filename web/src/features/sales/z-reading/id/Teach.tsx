import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '#/api/client';
import { useSave } from '#/form/useSave';
import { ErrorBox } from '#/ui/ErrorBox';
import { done } from '#/ui/toast';
import { BASE, readingChanged, type ZReading } from '../api';
import { TAUGHT } from '../fields';
import { labelIn } from '../till';
import classes from './Review.module.css';

interface Props {
  reading: ZReading;
  /** The line chosen on the picture. */
  line: string | null;
  onLine(text: string | null): void;
  onOver(): void;
}

/** A till's own words: a line on the picture, and what it stands for; kept for this till's next pictures. */
export function Teach({ reading, line, onLine, onOver }: Props) {
  const [field, setField] = useState<string | null>(null);
  const [taught, setTaught] = useState(0);
  const saving = useSave();
  const label = line === null ? '' : labelIn(line);
  const { storeId, terminalId, id, revision } = reading;
  const till = `${BASE}/terminals/${encodeURIComponent(storeId)}/${encodeURIComponent(terminalId)}`;

  const teach = (absent: boolean) =>
    saving.run(async () => {
      await request('POST', `${till}/teach`, { json: { label, field, absent } });
      setTaught((n) => n + 1);
      setField(null);
      onLine(null);
      done('The till knows it now');
    });
  const again = () =>
    saving.run(async () => {
      readingChanged(await request<ZReading>('POST', `${BASE}/${id}/read`, { json: { revision } }));
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
