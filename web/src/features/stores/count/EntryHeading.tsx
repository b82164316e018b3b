import { IconHistory, IconX } from '@tabler/icons-react';
import { memo } from 'react';
import { markText } from '#/stock/marks';
import { qty } from '#/ui/format';
import { SESSION_WORD } from './clock';
import classes from './Entry.module.css';
import { ItemPicture } from './ItemPicture';
import type { CountRow } from './rows';
import { type Item, sessionOf } from './types';

interface Props {
  item: Item;
  blind: boolean;
  yesterday: string;
  previous: CountRow['previous'];
  expected: number | null;
  onHistory(): void;
  onClose(): void;
}

/** The item that is being counted, and what was counted before. */
export const EntryHeading = memo(function EntryHeading(props: Props) {
  const { item, blind, yesterday, previous, expected, onHistory, onClose } = props;
  const session = sessionOf(previous?.session);
  return (
    <div className={classes.top}>
      <ItemPicture item={item} />
      <div className={classes.what}>
        <strong className={classes.name}>{item.name}</strong>
        <span className={classes.facts}>
          {item.code && <span>{item.code}</span>}
          {!blind && previous && (
            <span>
              {previous.date === yesterday ? 'Yesterday' : 'Last'}
              {session && `, ${SESSION_WORD[session].toLowerCase()}`}: <b>{qty(previous.qty)}</b>
            </span>
          )}
          {!blind && expected !== null && (
            <span>
              Expected: <b>{qty(expected)}</b>
            </span>
          )}
        </span>
        {item.marked && <span className={classes.mark}>{markText(item.marked)}</span>}
      </div>
      <button
        type="button"
        className={classes.close}
        aria-label={`History of ${item.name}`}
        title="History"
        onClick={onHistory}
      >
        <IconHistory size={20} stroke={1.7} aria-hidden />
      </button>
      <button type="button" className={classes.close} aria-label="Close" onClick={onClose}>
        <IconX size={20} aria-hidden />
      </button>
    </div>
  );
});
