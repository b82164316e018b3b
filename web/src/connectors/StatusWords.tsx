import { Button, Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { WordMeaning } from './api';
import classes from './Connectors.module.css';

const MEANINGS: readonly { value: WordMeaning; label: string }[] = [
  { value: 'counts', label: 'Counts as a sale' },
  { value: 'returns', label: 'Is a return' },
  { value: 'leaveOut', label: 'Is left out' },
];

interface Props {
  words: Readonly<Record<string, WordMeaning>>;
  onChange(words: Record<string, WordMeaning>): void;
}

/** What the words of status columns mean, where Larder does not know them by itself. */
export function StatusWords({ words, onChange }: Props) {
  const [word, setWord] = useState('');
  const next = word.trim();
  const add = (means: WordMeaning) => {
    if (!next) return;
    onChange({ ...words, [next]: means });
    setWord('');
  };
  return (
    <fieldset className={classes.words}>
      <legend>Words that say whether a row counts</legend>
      <p className={classes.quiet}>
        Most are known, such as «Completed» and «Cancelled». Rows with another word are put aside
        until it is named here.
      </p>
      {Object.entries(words).map(([known, means]) => (
        <div key={known} className={classes.word}>
          <Select
            label={`«${known}»`}
            data={MEANINGS}
            value={means}
            allowDeselect={false}
            withScrollArea={false}
            onChange={(it) => it && onChange({ ...words, [known]: it as WordMeaning })}
          />
          <Button
            size="xs"
            variant="subtle"
            aria-label={`Forget «${known}»`}
            onClick={() => {
              const { [known]: _, ...others } = words;
              onChange(others);
            }}
          >
            Forget
          </Button>
        </div>
      ))}
      <div className={classes.word}>
        <TextInput
          label="Another word"
          placeholder="As the source writes it"
          value={word}
          maxLength={100}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <Select
          label="Its meaning"
          placeholder="Choose"
          data={MEANINGS}
          value={null}
          disabled={!next}
          withScrollArea={false}
          onChange={(it) => it && add(it as WordMeaning)}
        />
      </div>
    </fieldset>
  );
}
