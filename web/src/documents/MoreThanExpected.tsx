import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { qty } from '#/ui/format';
import type { Beyond } from './beyond';
import classes from './MoreThanExpected.module.css';

interface Props {
  beyond: Beyond;
  /** The button's label: «Send anyway». */
  confirm: string;
  /** The reason as it was typed before. */
  reason: string;
  busy: boolean;
  /** Why the last try failed. */
  error: string | null;
  onReason(reason: string): void;
  onConfirm(reason: string): void;
  onClose(): void;
}

const WORDS = {
  title: 'More than expected here',
  placeholder: 'Such as “Found a box in the freezer”',
  missing: 'Say why there is more than expected.',
};
const RECALLED_WORDS = {
  title: 'A recalled lot',
  placeholder: 'Such as “Put aside for the truck to take back”',
  missing: 'Say what becomes of the recalled lot.',
};

/** Asks before more leaves a store than Larder expects there, or a recalled lot comes in. */
export function MoreThanExpected(props: Props) {
  const { beyond, confirm, reason, busy, error, onReason, onConfirm, onClose } = props;
  const { question, lines, recalled } = beyond;
  const words = recalled ? RECALLED_WORDS : WORDS;
  const [tried, setTried] = useState(false);
  const said = reason.trim();
  const marked = lines.filter(({ lot }) => !lot).length;

  function send(): void {
    setTried(true);
    if (said !== '') onConfirm(said);
  }

  return (
    <Dialog
      opened
      title={words.title}
      keep="Go back"
      confirm={confirm}
      size={520}
      busy={busy}
      onConfirm={send}
      onClose={onClose}
    >
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      {lines.length === 0 ? (
        <p>{question}</p>
      ) : (
        <table className={classes.lines}>
          <caption className="sr-only">What is asked for, and what Larder expects here</caption>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Asked</th>
              <th scope="col">Expected</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.field}>
                <th scope="row">
                  {line.name}
                  {line.lot && <small>Lot {line.lot}</small>}
                </th>
                <td>
                  {qty(line.asked)} {line.askedUnit}
                </td>
                <td>
                  {line.lot && 'At most '}
                  {qty(line.expected)} {line.unit}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {marked > 0 && <p>{marked === 1 ? 'It is' : 'They are'} then marked to be counted.</p>}
      <Textarea
        label="Reason"
        placeholder={words.placeholder}
        required
        autosize
        minRows={2}
        maxLength={2000}
        value={reason}
        error={tried && said === '' && words.missing}
        data-autofocus
        onChange={(event) => onReason(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
    </Dialog>
  );
}
