import { Loader } from '@mantine/core';
import { IconSearch, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { to } from '#/paths';
import { Kbd } from '#/ui/Kbd';
import classes from './Search.module.css';
import { SearchList } from './SearchList';
import type { SearchCommand } from './searchTargets';
import { type Hit, useSearch } from './useSearch';

interface Props {
  onOpen(hit: Hit, path: string, tab: boolean): void;
  onCommand(command: SearchCommand): void;
  onClose(): void;
}

/** The command chosen first, whose record is searched for next. */
const ADJUST = { title: 'Adjust quantity', kind: 'product', ask: 'Which product?' } as const;

/** The search field with its results; focus stays in the field, the arrow keys move the marked line. */
export function SearchBox({ onOpen, onCommand, onClose }: Props) {
  const [q, setQ] = useState('');
  const [adjusting, setAdjusting] = useState(false);
  // Marked by key, so that the mark stays on its line when more results arrive.
  const [chosen, setChosen] = useState<string | null>(null);
  const [entered, setEntered] = useState<null | { tab: boolean }>(null);
  const box = useRef<HTMLInputElement>(null);
  const list = useId();
  const { groups, settled, failed, retry } = useSearch(q, adjusting ? ADJUST.kind : null);
  const hits = useMemo(() => groups.flatMap((group) => group.hits), [groups]);
  const at = Math.max(
    0,
    hits.findIndex(({ key }) => key === chosen),
  );
  const optionId = (index: number) => `${list}-${index}`;

  function take(hit: Hit, tab = false): void {
    if (hit.command === 'adjust') {
      setAdjusting(true);
      type('');
      box.current?.focus();
    } else if (hit.command) onCommand(hit.command);
    else if (adjusting) onOpen(hit, to('product', { id: hit.id }, { adjust: hit.id }), tab);
    else if (hit.path) onOpen(hit, hit.path, tab);
  }

  function type(next: string): void {
    setQ(next);
    setChosen(null);
    setEntered(null);
  }

  // Enter may be pressed before the results arrive: wait for them instead of opening an older one.
  const latest = useRef(take);
  latest.current = take;
  const [first] = hits;
  useEffect(() => {
    if (!entered || !settled) return;
    setEntered(null);
    if (first) latest.current(first, entered.tab);
  }, [entered, settled, first]);

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        const step = event.key === 'ArrowDown' ? 1 : -1;
        const next = hits[(at + step + hits.length) % Math.max(1, hits.length)];
        if (next) setChosen(next.key);
        break;
      }
      case 'Enter': {
        event.preventDefault();
        const hit = hits[at];
        const tab = event.ctrlKey || event.metaKey;
        if (!settled && chosen === null) setEntered({ tab });
        else if (hit) take(hit, tab);
        break;
      }
      case 'Backspace':
        if (q === '' && adjusting) setAdjusting(false);
        break;
    }
  }

  const shown = hits.length > 0;
  return (
    <>
      <div className={classes.box}>
        {settled ? (
          <IconSearch size={18} stroke={1.7} aria-hidden />
        ) : (
          <Loader size={18} color="gray" aria-hidden />
        )}
        {adjusting && (
          <button
            type="button"
            className={classes.scope}
            aria-label={`Cancel: ${ADJUST.title}`}
            onClick={() => {
              setAdjusting(false);
              box.current?.focus();
            }}
          >
            {ADJUST.title}
            <IconX size={13} aria-hidden />
          </button>
        )}
        <input
          ref={box}
          // biome-ignore lint/a11y/noAutofocus: the dialog is there to type in
          autoFocus
          data-autofocus
          className={classes.input}
          role="combobox"
          aria-label={adjusting ? ADJUST.ask : 'Search or jump to a page'}
          aria-autocomplete="list"
          aria-expanded={shown}
          aria-controls={shown ? list : undefined}
          aria-activedescendant={shown ? optionId(at) : undefined}
          placeholder={adjusting ? ADJUST.ask : 'Search or jump to…'}
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          value={q}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={press}
        />
        <button type="button" className={classes.cancel} onClick={onClose}>
          Cancel
        </button>
      </div>
      <SearchList
        id={list}
        groups={groups}
        typed={q}
        at={at}
        optionId={optionId}
        settled={settled}
        failed={failed}
        onRetry={retry}
        onMark={(hit) => setChosen(hit.key)}
        onTake={take}
      />
      <footer className={classes.keys}>
        <span>
          <Kbd>↑</Kbd> <Kbd>↓</Kbd> choose
        </span>
        <span>
          <Kbd>Enter</Kbd> open
        </span>
        <span>
          <Kbd>Ctrl Enter</Kbd> in a new tab
        </span>
        <span>
          <Kbd>Esc</Kbd> close
        </span>
      </footer>
      <output className="sr-only">
        {settled && q.trim() !== '' && (hits.length === 1 ? '1 result' : `${hits.length} results`)}
      </output>
    </>
  );
}
