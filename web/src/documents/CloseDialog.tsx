import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { done } from '#/ui/toast';
import classes from './CloseDialog.module.css';
import { type CloseLine, question, saveAnswers } from './close';

const CHOICES = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'later', label: 'Later' },
];

interface RowProps {
  name: string;
  words: string;
  value: string;
  onChange(value: string): void;
}

/** A question about a line: yes, no or later. */
export function CloseQuestion({ name, words, value, onChange }: RowProps) {
  return (
    <div className={classes.line}>
      <p>
        <b>{name}</b> {words}
      </p>
      <SegmentedControl
        className={classes.choice}
        aria-label={`${name}: ${words}`}
        data={CHOICES}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

/** Asks line by line if goods close to a count were counted. */
export function CloseDialog({ lines, onClose }: { lines: readonly CloseLine[]; onClose(): void }) {
  const [said, setSaid] = useState<ReadonlyMap<CloseLine, boolean>>(new Map());
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');

  function say(line: CloseLine, value: string): void {
    const next = new Map(said);
    if (value === 'later') next.delete(line);
    else next.set(line, value === 'yes');
    setSaid(next);
  }

  async function save(): Promise<void> {
    setBusy(true);
    setRefused('');
    try {
      await saveAnswers(lines, said);
      done('Answers saved');
      onClose();
    } catch (error) {
      setRefused(Problem.of(error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      opened
      title="Was this counted?"
      keep="Later"
      confirm="Save answers"
      size={560}
      busy={busy}
      disabled={said.size === 0}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      {refused && (
        <p role="alert" className={classes.refused}>
          {refused}
        </p>
      )}
      {lines.map((line) => {
        const answer = said.get(line);
        return (
          <CloseQuestion
            key={`${line.lineId} ${line.date} ${line.session}`}
            name={line.name}
            words={question(line)}
            value={answer === undefined ? 'later' : answer ? 'yes' : 'no'}
            onChange={(value) => say(line, value)}
          />
        );
      })}
    </Dialog>
  );
}
