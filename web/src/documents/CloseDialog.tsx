import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { Dialog } from '#/ui/Dialog';
import { done } from '#/ui/toast';
import classes from './CloseDialog.module.css';
import { type CloseLine, heading, includedBy, isLeaving, question, saveAnswers } from './close';

const CHOICES = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
  { value: 'later', label: 'Later' },
];

interface RowProps {
  name: string;
  words: string;
  /** Whether the goods left: they are asked about the other way round. */
  leaving: boolean;
  /** Whether the count includes it; undefined if not answered. */
  included: boolean | undefined;
  onChange(included: boolean | undefined): void;
}

/** A question about a line: yes, no or later. */
export function CloseQuestion({ name, words, leaving, included, onChange }: RowProps) {
  const value =
    included === undefined ? 'later' : included === includedBy(leaving, true) ? 'yes' : 'no';
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
        onChange={(next) =>
          onChange(next === 'later' ? undefined : includedBy(leaving, next === 'yes'))
        }
      />
    </div>
  );
}

/** Asks line by line if a count includes the goods that came or left close to it. */
export function CloseDialog({ lines, onClose }: { lines: readonly CloseLine[]; onClose(): void }) {
  const [said, setSaid] = useState<ReadonlyMap<CloseLine, boolean>>(new Map());
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState('');

  function say(line: CloseLine, included: boolean | undefined): void {
    const next = new Map(said);
    if (included === undefined) next.delete(line);
    else next.set(line, included);
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
      title={heading(lines.map(isLeaving))}
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
      {lines.map((line) => (
        <CloseQuestion
          key={`${line.lineId} ${line.date} ${line.session}`}
          name={line.name}
          words={question(line)}
          leaving={isLeaving(line)}
          included={said.get(line)}
          onChange={(included) => say(line, included)}
        />
      ))}
    </Dialog>
  );
}
