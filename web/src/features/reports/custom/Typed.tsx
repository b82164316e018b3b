import { Textarea } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import { useSearchKey } from '#/ui/useSearchKey';
import { complaint, read, written } from './typed';
import type { Dataset, Datasets, Definition } from './types';

interface Props {
  datasets: Datasets;
  dataset: Dataset;
  definition: Definition;
  set(next: Definition): void;
  /** Saves the report as it is typed. */
  onSave(definition: Definition): void;
}

/** The definition as text: typed, applied by Enter, saved by Ctrl S. Unknown words are named, none is guessed. */
export function Typed({ datasets, dataset, definition, set, onSave }: Props) {
  const box = useRef<HTMLTextAreaElement>(null);
  const shown = written(definition, dataset, datasets);
  const [typed, setTyped] = useState<string | null>(null);
  const [wrong, setWrong] = useState<string | null>(null);
  useSearchKey(box);

  const back = (problem: string | null) => {
    setWrong(problem);
    if (problem === null) setTyped(null);
  };

  /** Applies the text; null if it is not understood. */
  function apply(): Definition | null {
    if (typed === null || typed.trim() === shown) {
      back(null);
      return definition;
    }
    const { definition: next, unclear } = read(typed, definition, datasets);
    back(unclear.length > 0 ? complaint(unclear) : null);
    if (unclear.length > 0) return null;
    set(next);
    return next;
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      apply();
    } else if (event.key === 'Escape') {
      back(null);
    } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault();
      // The page's own shortcut would save what is not applied yet.
      event.stopPropagation();
      const next = apply();
      if (next) onSave(next);
    }
  }

  return (
    <Textarea
      ref={box}
      label="Type the report"
      description="Figures by rows across columns, days, top. / to type, Enter to apply, Ctrl S to save."
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      size="xs"
      autosize
      minRows={2}
      maxRows={6}
      maxLength={1000}
      spellCheck={false}
      value={typed ?? shown}
      error={wrong}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={press}
      onBlur={apply}
    />
  );
}
