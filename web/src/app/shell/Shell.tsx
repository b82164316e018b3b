import { Suspense, useEffect, useState } from 'react';
import { Outlet, useLocation, useNavigation } from 'react-router';
import { useMe } from '#/api/session';
import { pages } from '#/paths';
import { isFigure, isTyping, overlayOpen } from '#/ui/keys';
import { Help } from './Help';
import { Notices } from './Notices';
import { Rail } from './Rail';
import { Search } from './Search';
import classes from './Shell.module.css';
import { TopBar } from './TopBar';
import { useLightPaper } from './useLightPaper';

export default function Shell() {
  const me = useMe();
  const { pathname } = useLocation();
  const moving = useNavigation().state !== 'idle';
  const [helping, setHelping] = useState(false);
  const [searching, setSearching] = useState(false);
  useLightPaper();
  // The counting page has a search field of its own.
  const searchable = pathname !== pages.storesCount.path;
  if (searching && !searchable) setSearching(false);

  useEffect(() => {
    document.title = me.company.appLabel;
  }, [me.company.appLabel]);

  useEffect(() => {
    const help = (event: KeyboardEvent) => {
      if (event.key !== '?' || (!isFigure(event) && (isTyping(event) || overlayOpen()))) return;
      event.preventDefault();
      setHelping(true);
    };
    window.addEventListener('keydown', help);
    return () => window.removeEventListener('keydown', help);
  }, []);

  return (
    <div className={classes.shell}>
      <a href="#content" className={classes.skip}>
        Skip to content
      </a>
      <Rail />
      <TopBar
        searchable={searchable}
        onSearch={() => setSearching(true)}
        onHelp={() => setHelping(true)}
      />
      {moving && <div className={classes.progress} role="progressbar" aria-label="Opening page" />}
      <Notices />
      <main id="content" tabIndex={-1} className={classes.content}>
        <Suspense>
          <Outlet />
        </Suspense>
      </main>
      <Search
        opened={searching}
        searchable={searchable}
        onToggle={() => setSearching((now) => !now)}
        onClose={() => setSearching(false)}
        onHelp={() => setHelping(true)}
      />
      <Help opened={helping} onClose={() => setHelping(false)} />
    </div>
  );
}
