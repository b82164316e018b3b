import { useHotkeys } from '@mantine/hooks';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { IconSearch } from '@tabler/icons-react';
import { type KeyboardEvent, useMemo } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#/api/session';
import { openTargets } from '../access';
import classes from './Search.module.css';

/** Enter opens the first hit when none was chosen by arrow; the style sheet marks it. */
function openFirst(event: KeyboardEvent<HTMLInputElement>): void {
  const dialog = event.currentTarget.closest('[role="dialog"]');
  if (event.key !== 'Enter' || !dialog || dialog.querySelector('[data-selected]')) return;
  dialog.querySelector<HTMLElement>('[data-action]')?.click();
}

/** One box for every page that can be opened now. */
export function Search() {
  const me = useMe();
  const navigate = useNavigate();
  useHotkeys([['mod+K', () => spotlight.toggle()]], []);

  const actions = useMemo(
    () =>
      openTargets(me).map(({ label, path, words }) => ({
        id: path,
        label,
        description: path,
        keywords: [path, words],
        onClick: () => void navigate(path),
      })),
    [me, navigate],
  );

  return (
    <Spotlight
      actions={actions}
      shortcut={null}
      highlightQuery
      nothingFound="No page matches. Check the spelling."
      limit={8}
      scrollable
      maxHeight={420}
      transitionProps={{ duration: 90, transition: 'fade' }}
      overlayProps={{ backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      classNames={{ action: classes.action, content: classes.content }}
      searchProps={{
        placeholder: 'Search or jump to…',
        onKeyDown: openFirst,
        leftSection: <IconSearch size={18} stroke={1.7} aria-hidden />,
        'aria-label': 'Search or jump to a page',
      }}
    />
  );
}
