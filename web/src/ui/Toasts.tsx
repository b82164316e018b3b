import { Notifications, notifications, useNotifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import classes from './Toasts.module.css';
import { LASTING_PREFIX } from './toast';

const LOOK_MS = 200;
/** Width and offset of the corner in which toasts appear, in pixels. */
const WIDTH = 360;
const GAP = 16;

/** Renders toasts above the footers of screens and drawers; they let the pointer through. */
export function Toasts() {
  const { notifications: shown } = useNotifications();
  const some = shown.length > 0;
  const path = useRef(location.pathname);

  useEffect(() => {
    path.current = location.pathname;
    if (!some) return;
    const look = () => {
      document.documentElement.style.setProperty('--toasts', `${heightBelow()}px`);
      if (path.current === location.pathname) return;
      // Close lasting errors when the page changes.
      path.current = location.pathname;
      for (const { id } of shown) if (id?.startsWith(LASTING_PREFIX)) notifications.hide(id);
    };
    look();
    // Recompute when a drawer opens or closes.
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [some, shown]);

  return (
    <Notifications
      position="bottom-right"
      autoClose={1800}
      transitionDuration={120}
      containerWidth={WIDTH}
      limit={4}
      className={classes.toasts}
    />
  );
}

/** The height of the footer at the bottom right: of a drawer, a selection bar or a count. */
function heightBelow(): number {
  let height = 0;
  for (const foot of document.querySelectorAll('footer, [data-foot]')) {
    const { top, right, bottom, left } = foot.getBoundingClientRect();
    const isThere = right > innerWidth - WIDTH - GAP && left < innerWidth - GAP;
    // Only footers that reach the bottom cover the corner.
    if (!isThere || bottom < innerHeight - GAP * 5 || top >= innerHeight || top < innerHeight / 3)
      continue;
    height = Math.max(height, Math.round(innerHeight - top));
  }
  return height;
}
