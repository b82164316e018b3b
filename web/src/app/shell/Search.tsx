import { Modal, useMantineColorScheme } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useMe } from '#/api/session';
import { usePhone } from '#/ui/usePhone';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { confirmAndSignOut } from '../signOutFlow';
import { focusNextPage } from './focusNextPage';
import classes from './Search.module.css';
import { SearchBox } from './SearchBox';
import { rememberOpened } from './searchRecent';
import type { SearchCommand } from './searchTargets';
import type { Hit } from './useSearch';

interface Props {
  opened: boolean;
  /** Whether this page has a search at all. */
  searchable: boolean;
  onToggle(): void;
  onClose(): void;
  onHelp(): void;
}

/** The search dialog for pages, records and commands. */
export function Search({ opened, searchable, onToggle, onClose, onHelp }: Props) {
  useReturnFocus(opened);
  const phone = usePhone();
  const me = useMe();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  // A new key empties it each time it opens, also while the last one is still fading out.
  const [turn, setTurn] = useState(0);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setTurn(turn + 1);
  }
  // No tags are ignored: the shortcut works inside any field.
  useHotkeys(searchable ? [['mod+K', onToggle]] : [], []);

  function run(command: SearchCommand): void {
    switch (command) {
      case 'help':
        onHelp();
        break;
      case 'light':
      case 'dark':
      case 'auto':
        setColorScheme(command);
        break;
      case 'signOut':
        void confirmAndSignOut();
        break;
    }
  }

  function open(hit: Hit, path: string, tab: boolean): void {
    const { kind, id, title, note } = hit;
    if (kind !== 'action') rememberOpened(me.user.uid, { kind, id, title, note });
    if (tab) {
      window.open(path, '_blank', 'noopener');
      return;
    }
    onClose();
    focusNextPage();
    void navigate(path);
  }

  return (
    <Modal
      opened={opened}
      onClose={onClose}
      withCloseButton={false}
      fullScreen={phone}
      centered={false}
      yOffset="10vh"
      size={620}
      padding={0}
      transitionProps={{ duration: 90, transition: 'fade' }}
      overlayProps={{ backgroundOpacity: 0.4 }}
      attributes={{ content: { 'aria-label': 'Search' } }}
      classNames={{ content: classes.content, body: classes.body }}
    >
      <SearchBox
        key={turn}
        onOpen={open}
        onCommand={(command) => {
          onClose();
          run(command);
        }}
        onClose={onClose}
      />
    </Modal>
  );
}
