import { Popover } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import { pages } from '#/paths';
import classes from './MenuPanel.module.css';
import type { MenuGroup } from './menus';

interface Props {
  title: string;
  groups: readonly MenuGroup[];
  target(props: { onClick(): void; 'data-open'?: true }): ReactNode;
}

/** A panel of links in columns; entries without a page or permission are plain grey text. */
export function MenuPanel({ title, groups, target }: Props) {
  const me = useMe();
  const [opened, setOpened] = useState(false);
  const { pathname } = useLocation();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the panel
  useEffect(() => setOpened(false), [pathname]);

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus>
      <Popover.Target>
        {target({ onClick: () => setOpened(!opened), 'data-open': opened || undefined })}
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label={title}>
        <nav aria-label={title} className={classes.groups}>
          {groups.map((group) => (
            <section key={group.title}>
              <h2 className={classes.title}>{group.title}</h2>
              <ul className={classes.entries}>
                {group.entries.map(({ label, page, makes }) => (
                  <li key={label}>
                    {page && mayOpen(me, page) ? (
                      <Link
                        to={pages[page].path + (makes ? '?open=new' : '')}
                        className={classes.entry}
                        onClick={() => setOpened(false)}
                      >
                        {label}
                      </Link>
                    ) : (
                      <span className={classes.entry} data-off>
                        {label}
                      </span>
                    )}
                  </li>
                ))}
              </ul>
            </section>
          ))}
        </nav>
      </Popover.Dropdown>
    </Popover>
  );
}
