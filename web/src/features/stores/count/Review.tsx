import { Button, Modal } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { useSave } from '#/form/useSave';
import { confirmKeys } from '#/ui/confirmKeys';
import { plural, qty } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { SESSION_WORD } from './clock';
import { finishCount } from './finishCount';
import { outliersOf } from './outliers';
import classes from './Review.module.css';
import type { Item, Settings } from './types';
import { useOpenCount, useProgress } from './useCount';

interface Props {
  settings: Settings;
  yesterday: string;
  onOpen(id: string): void;
  onFinished(sent: boolean): void;
  onClose(): void;
}

const SHOWN = 8;

/** Shows what to check before a count is finished: outliers, conflicts, held and missing counts. */
export function Review({ settings, yesterday, onOpen, onFinished, onClose }: Props) {
  useReturnFocus();
  const book = useOpenCount();
  const phone = usePhone();
  const progress = useProgress();
  const [confirmed, setConfirmed] = useState<ReadonlySet<string>>(new Set());
  const saving = useSave();

  const items = book.items();
  const missing = items.filter(({ id }) => !book.row(id).counted);
  const several = items.filter(({ id }) => book.row(id).others.length > 0);
  const held = items.filter(({ id }) => ['held', 'rejected'].includes(book.row(id).state));
  const outliers = settings.blind
    ? []
    : outliersOf(items, book.row, { factor: settings.outlierFactor, yesterday });
  const open = outliers.filter(({ item }) => !confirmed.has(item.id));
  const name = SESSION_WORD[book.scope.session].toLowerCase();

  const done = () => saving.run(() => finishCount(book.uid, book.scope), { onSaved: onFinished });

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({
        confirm: progress.counted === 0 || saving.busy ? null : () => void done(),
        danger: true,
      })}
      title={`Finish the ${name} count`}
      fullScreen={phone}
      size={560}
      classNames={{ title: classes.head }}
      closeButtonProps={{ 'aria-label': 'Close', size: 44, iconSize: 20 }}
    >
      <div className={classes.review}>
        <p className={classes.lead}>
          {progress.counted} of {progress.of} counted
          {progress.waiting > 0 && `, ${progress.waiting} waiting to send`}.
        </p>

        {outliers.length > 0 && (
          <section aria-label="Check these numbers">
            <h3 className={classes.title}>Check these numbers</h3>
            <ul className={classes.list}>
              {outliers.map(({ item, row, question }) => (
                <li
                  key={item.id}
                  className={classes.line}
                  data-right={confirmed.has(item.id) || undefined}
                >
                  <span className={classes.what}>
                    <strong>{item.name}</strong>
                    <span className={classes.question}>{question}</span>
                  </span>
                  <Button variant="default" onClick={() => onOpen(item.id)}>
                    Count again<span className="sr-only">: {item.name}</span>
                  </Button>
                  <Button
                    variant={confirmed.has(item.id) ? 'filled' : 'default'}
                    aria-pressed={confirmed.has(item.id)}
                    onClick={() => {
                      if (confirmed.has(item.id)) return;
                      setConfirmed(new Set([...confirmed, item.id]));
                      // Sending the same value again tells the server that it is confirmed.
                      void book.count(item.id, row.qty);
                    }}
                  >
                    It’s right
                    <span className="sr-only">
                      : {qty(row.qty)} of {item.name}
                    </span>
                  </Button>
                </li>
              ))}
            </ul>
          </section>
        )}
        <ItemNames title={'Counted on several devices'} items={several} onOpen={onOpen} />
        <ItemNames title="Held" items={held} onOpen={onOpen} />
        <ItemNames title="Not counted" items={missing} onOpen={onOpen} />
        {outliers.length + several.length + held.length + missing.length === 0 && (
          <p className={classes.allRight}>
            <IconCircleCheck size={22} stroke={1.6} aria-hidden /> Everything looks right.
          </p>
        )}

        {saving.problem && (
          <p role="alert" className={classes.error}>
            {saving.problem.message}
          </p>
        )}
        <footer className={classes.foot}>
          {open.length > 0 && (
            <p className={classes.lead}>
              {open.length === 1
                ? '1 number looks wrong and nobody has confirmed it.'
                : `${open.length} numbers look wrong and nobody has confirmed them.`}
            </p>
          )}
          <Button variant="default" onClick={onClose} data-autofocus>
            Keep counting
          </Button>
          <Button
            loading={saving.busy}
            disabled={progress.counted === 0}
            onClick={() => void done()}
          >
            {missing.length > 0
              ? `Finish without ${plural(missing.length, 'item')}`
              : 'Finish count'}
          </Button>
        </footer>
      </div>
    </Modal>
  );
}

function ItemNames(props: { title: string; items: readonly Item[]; onOpen(id: string): void }) {
  const { title, items, onOpen } = props;
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  const shown = all ? items : items.slice(0, SHOWN);
  return (
    <section aria-label={title}>
      <h3 className={classes.title}>
        {title} <span className={classes.count}>{items.length}</span>
      </h3>
      <ul className={classes.names}>
        {shown.map(({ id, name }) => (
          <li key={id}>
            <button type="button" className={classes.name} onClick={() => onOpen(id)}>
              {name}
            </button>
          </li>
        ))}
        {items.length > shown.length && (
          <li>
            <button type="button" className={classes.name} onClick={() => setAll(true)}>
              and {items.length - shown.length} more
            </button>
          </li>
        )}
      </ul>
    </section>
  );
}
