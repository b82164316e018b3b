import { Button, Textarea } from '@mantine/core';
import { DateField } from '#/ui/DateField';
import { addDays, today } from '#/ui/dates';
import { AnswerTree } from './AnswerTree';
import type { Found } from './api';
import classes from './Connectors.module.css';
import { Trial } from './Trial';

interface Props {
  /** Whether the connector fetches a day; otherwise a pasted delivery is tried. */
  runs: boolean;
  day: string;
  sample: string;
  found: Found | null;
  trying: boolean;
  roles: readonly { value: string; label: string }[];
  usedAs(path: string): string | null;
  onDay(day: string): void;
  onSample(sample: string): void;
  onTry(): void;
  onUse(path: string, as: string): void;
}

/** Tries the settings out, and shows what would be read. */
export function TryOut(props: Props) {
  const { runs, day, sample, found, trying, roles, usedAs, onDay, onSample, onTry, onUse } = props;
  return (
    <>
      <h3>Try it</h3>
      <p className={classes.quiet}>Shows what would be read. Nothing is posted.</p>
      <div className={classes.fields}>
        {runs ? (
          <DateField
            label="Day"
            value={day}
            max={addDays(today(), -1)}
            onChange={(date) => onDay(date)}
          />
        ) : (
          <Textarea
            className={classes.wide}
            label="A delivery to try"
            placeholder="Paste CSV with a header, JSON or JSON lines"
            autosize
            minRows={4}
            maxRows={10}
            value={sample}
            onChange={(event) => onSample(event.currentTarget.value)}
          />
        )}
        <Button variant="default" mt={24} loading={trying} onClick={onTry}>
          Try it
        </Button>
      </div>
      {found?.answer !== undefined && (
        <>
          <p className={classes.quiet}>Click a value to say what it is.</p>
          <AnswerTree value={found.answer} usedAs={usedAs} onUse={onUse} roles={roles} />
        </>
      )}
      {found && <Trial found={found} />}
    </>
  );
}
