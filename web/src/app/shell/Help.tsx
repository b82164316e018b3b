import { Modal } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { everywhere, type Keys, keySets } from '#/help/keys';
import type { PageHelp } from '#/help/types';
import { spec } from '#/paths';
import { Kbd } from '#/ui/Kbd';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Help.module.css';
import { pageAt } from './pageAt';

/** What the open page is for, what to do there, and its keys. */
export function Help({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const { pathname } = useLocation();
  const key = pageAt(pathname);
  const page = useTexts(opened, key);
  useReturnFocus(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={key ? `Help: ${spec(key).label}` : 'Help'}
      size={480}
      classNames={{ title: classes.heading }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {page && (
        <section className={classes.group}>
          <p className={classes.what}>{page.what}</p>
          <h3 className={classes.title}>What you can do here</h3>
          <ol className={classes.todo}>
            {page.todo.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ol>
        </section>
      )}
      {page?.keys.map((set) => (
        <KeyList key={set} {...keySets[set]} />
      ))}
      <KeyList {...everywhere} />
    </Modal>
  );
}

/** The help of a page; null until it is loaded, and without a connection if it never was. */
function useTexts(opened: boolean, key: ReturnType<typeof pageAt>): PageHelp | null {
  const [texts, setTexts] = useState<Readonly<Record<string, PageHelp>>>({});
  useEffect(() => {
    if (!opened) return;
    let left = false;
    import('#/help/texts').then(
      // Undefined while the page is being reloaded for a new version.
      (loaded?: { texts: typeof texts }) => left || setTexts(loaded?.texts ?? {}),
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [opened]);
  return (key && texts[key]) ?? null;
}

function KeyList({ title, keys }: Keys) {
  return (
    <section className={classes.group}>
      <h3 className={classes.title}>Keys: {title}</h3>
      <dl className={classes.list}>
        {keys.map(([key, what]) => (
          <div key={key} className={classes.line}>
            <dt>{what}</dt>
            <dd>
              <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
