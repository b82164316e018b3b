import { Button, Modal } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { plural, qty } from '#/ui/format';
import { usePhone } from '#/ui/usePhone';
import { SESSION_WORD } from './clock';
import { finish } from './finish';
import { outliersOf } from './outliers';
import classes from './Review.module.css';
import type { Item, Settings } from './types';
import { useOpenBook, useProgress } from './useCount';

interface Props {
  settings: Settings;
  yesterday: string;
  onOpen(id: string): void;
  onFinished(told: boolean): void;
  onClose(): void;
}

const SHOWN = 8;

/** What to look at again before a count is called done. */
export function Review({ settings, yesterday, onOpen, onFinished, onClose }: Props) {
  const book = useOpenBook();
  const phone = usePhone();
  const progress = useProgress();
  const [right, setRight] = useState<ReadonlySet<string>>(new Set());
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');

  const items = book.items();
  const missing = items.filter(({ id }) => !book.row(id).counted);
  const several = items.filter(({ id }) => book.row(id).others.length > 0);
  const held = items.filter(({ id }) => ['held', 'rejected'].includes(book.row(id).state));
  const outliers = settings.blind
    ? []
    : outliersOf(items, book.row, { factor: settings.outlierFactor, yesterday });
  const open = outliers.filter(({ item }) => !right.has(item.id));
  const name = SESSION_WORD[book.scope.session].toLowerCase();

  async function done(): Promise<void> {
    setBusy(true);
    setError('');
    try {
      onFinished(await finish(book.uid, book.scope));
    } catch (problem) {
      setError(Problem.of(problem).message);
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
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
              {outliers.map(({ item, row, says }) => (
                <li
                  key={item.id}
                  className={classes.line}
                  data-right={right.has(item.id) || undefined}
                >
                  <span className={classes.what}>
                    <strong>{item.name}</strong>
                    <span className={classes.says}>{says}</span>
                  </span>
                  <Button variant="default" onClick={() => onOpen(item.id)}>
                    Count again<span className="sr-only">: {item.name}</span>
                  </Button>
                  <Button
                    variant={right.has(item.id) ? 'filled' : 'default'}
                    aria-pressed={right.has(item.id)}
                    onClick={() => {
                      if (right.has(item.id)) return;
                      setRight(new Set([...right, item.id]));
                      // Said twice alike, it is no slip of the thumb: the server knows it by that.
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
        <Names title={'Counted on several devices'} items={several} onOpen={onOpen} />
        <Names title="Held" items={held} onOpen={onOpen} />
        <Names title="Not counted" items={missing} onOpen={onOpen} />
        {outliers.length + several.length + held.length + missing.length === 0 && (
          <p className={classes.well}>
            <IconCircleCheck size={22} stroke={1.6} aria-hidden /> Everything looks right.
          </p>
        )}

        {error && (
          <p role="alert" className={classes.error}>
            {error}
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
          <Button loading={busy} disabled={progress.counted === 0} onClick={() => void done()}>
            {missing.length > 0
              ? `Finish without ${plural(missing.length, 'item')}`
              : 'Finish count'}
          </Button>
        </footer>
      </div>
    </Modal>
  );
}

function Names(props: { title: string; items: readonly Item[]; onOpen(id: string): void }) {
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
