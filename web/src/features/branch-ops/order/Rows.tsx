import { Button } from '@mantine/core';
import { IconArrowBackUp, IconInfoCircle, IconWand } from '@tabler/icons-react';
import { stockIn } from '#/documents/suggestion';
import { WhyButton } from '#/documents/WhyButton';
import { plural, qty } from '#/ui/format';
import { showNumber } from '#/ui/numberInput';
import { QtyInput } from '../QtyInput';
import type { OrderRow } from './form';
import classes from './Order.module.css';

interface SuggestionsProps {
  /** How many items have a suggestion and no quantity. */
  open: number;
  /** How many quantities are a taken suggestion. */
  taken: number;
  onTake(): void;
  onUndo(): void;
}

/** Takes all suggestions, and takes them back. */
export function Suggestions({ open, taken, onTake, onUndo }: SuggestionsProps) {
  if (open + taken === 0) return null;
  return (
    <div className={classes.suggestions}>
      {open > 0 && (
        <Button
          variant="default"
          h={48}
          leftSection={<IconWand size={20} stroke={1.7} aria-hidden />}
          onClick={onTake}
        >
          Take {plural(open, 'suggestion')}
        </Button>
      )}
      {taken > 0 && (
        <Button
          variant="default"
          h={48}
          leftSection={<IconArrowBackUp size={20} stroke={1.7} aria-hidden />}
          onClick={onUndo}
        >
          Undo {plural(taken, 'suggestion')}
        </Button>
      )}
    </div>
  );
}

interface RowProps {
  row: OrderRow;
  onType(id: string, text: string): void;
}

/** An item: its stock in the unit it is ordered in, what is proposed and why, and the quantity. */
export function Row({ row, onType }: RowProps) {
  const { item, unit, uomId, text, fault, suggested, reads } = row;
  const stock = (figure: number, words: string) => {
    const { value, unit: code } = stockIn(item, figure, uomId);
    return `${qty(value)} ${code} ${words}`;
  };
  const hints = [
    item.onHand != null && stock(item.onHand, 'here'),
    item.inTransit ? stock(item.inTransit, 'on the way') : null,
  ].filter(Boolean);
  const much = `${qty(suggested)} ${unit}`;
  const differs = suggested !== null && suggested > 0 && row.qty !== suggested;
  return (
    <li
      className={classes.row}
      data-product={item.productId}
      data-ordered={row.qty > 0 || undefined}
    >
      <span className={classes.name}>
        <strong>{item.name}</strong>
        <span>{hints.join(', ')}</span>
        {suggested !== null && suggested > 0 && (
          <span className={classes.proposal} data-open={differs || undefined}>
            <WhyButton
              text={much}
              label={
                <span className={classes.why}>
                  Suggested {much}
                  {item.why.length > 0 && <IconInfoCircle size={16} stroke={1.7} aria-hidden />}
                </span>
              }
              why={item.why}
              unit={item.stockUnit ?? ''}
            />
            {differs && (
              <button
                type="button"
                className={classes.take}
                aria-label={`Take ${much} of ${item.name}`}
                onClick={() => onType(item.productId, showNumber(suggested, reads))}
              >
                Take
              </button>
            )}
          </span>
        )}
        {fault && <span className={classes.fault}>{fault}</span>}
      </span>
      <QtyInput
        label={`${item.name}: order`}
        unit={unit}
        reads={reads}
        value={text}
        placeholder="0"
        error={fault ?? undefined}
        onChange={(value) => onType(item.productId, value)}
      />
    </li>
  );
}
