import {
  IconAlertTriangle,
  IconCheck,
  IconDeviceMobileCheck,
  IconHandStop,
  IconUsers,
} from '@tabler/icons-react';
import { memo } from 'react';
import { markText } from '#/stock/marks';
import { qty } from '#/ui/format';
import { timeOf } from './clock';
import { useIsActive } from './cursor';
import { ItemPicture } from './ItemPicture';
import classes from './Rows.module.css';
import type { CountRow, RowState } from './rows';
import type { Item } from './types';
import { useRow } from './useCount';

const STATE_WORD: Record<RowState, string> = {
  none: '',
  unsaved: 'NOT saved',
  saving: 'Saving…',
  saved: 'Saved on this device',
  sent: 'Sent',
  held: 'Held',
  rejected: 'Not accepted',
};

/** The state of a row as an icon, with a text for screen readers. */
export function RowStateIcon({ row }: { row: CountRow }) {
  const { state, others } = row;
  if (state === 'none') return <span className={classes.stateIcon} />;
  const word = state === 'held' ? `Held: ${row.reason}` : STATE_WORD[state];
  const Shape =
    state === 'unsaved' || state === 'rejected'
      ? IconAlertTriangle
      : state === 'held'
        ? IconHandStop
        : others.length > 0
          ? IconUsers
          : state === 'sent'
            ? IconCheck
            : IconDeviceMobileCheck;
  return (
    <span
      className={classes.stateIcon}
      data-state={others.length > 0 ? 'held' : state}
      title={word}
    >
      <Shape size={18} stroke={2} aria-hidden />
      <span className="sr-only">
        {others.length > 0 ? `${others.length + 1} devices counted this item` : word}
      </span>
    </span>
  );
}

interface Props {
  item: Item;
  blind: boolean;
  onOpen(id: string): void;
}

/** One item of the list; renders only when its own row changes, or when it becomes current. */
export const Row = memo(function Row({ item, blind, onOpen }: Props) {
  const row = useRow(item.id);
  const active = useIsActive(item.id);
  const { previous, expected } = row;
  const off = row.counted && expected !== null && row.qty !== null ? row.qty - expected : null;
  return (
    <div role="listitem" className={classes.item}>
      <button
        type="button"
        className={classes.row}
        data-item={item.id}
        data-counted={row.counted || undefined}
        data-blind={blind || undefined}
        aria-current={active || undefined}
        onClick={() => onOpen(item.id)}
      >
        <ItemPicture item={item} />
        <span className={classes.what}>
          <span className={classes.name}>{item.name}</span>
          {item.marked && !row.counted && (
            <span className={classes.mark}>{markText(item.marked)}</span>
          )}
          <span className={classes.sub}>
            {item.code && <span>{item.code}</span>}
            {!blind && previous && (
              <span className={classes.before}>Last count {qty(previous.qty)}</span>
            )}
            {row.counted && row.by && (
              <span className={classes.by}>
                {row.by}, {timeOf(row.at)}
              </span>
            )}
            {row.late && <span>late</span>}
            {row.note && <span className={classes.note}>{row.note}</span>}
          </span>
        </span>
        {!blind && (
          <>
            <span className={classes.deskOnly}>{previous ? qty(previous.qty) : '–'}</span>
            <span className={classes.deskOnly}>{expected === null ? '–' : qty(expected)}</span>
          </>
        )}
        <span className={classes.value}>
          {row.counted ? qty(row.qty) : '–'}
          {item.uomCode && <span className={classes.uom}>{item.uomCode}</span>}
        </span>
        {!blind && (
          <span className={classes.deskOnly} data-off={off ? true : undefined}>
            {off === null ? '–' : `${off > 0 ? '+' : ''}${qty(off)}`}
          </span>
        )}
        <RowStateIcon row={row} />
      </button>
    </div>
  );
});
