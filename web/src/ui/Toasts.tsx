import { Notifications, notifications, useNotifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import classes from './Toasts.module.css';
import { TROUBLE } from './toast';

const LOOK_MS = 200;
/** The corner toasts come up in: so wide, and so far from the edge. */
const WIDTH = 360;
const GAP = 16;

/** The toasts of the console. They let the pointer through, and stand above whatever ends a screen or a drawer. */
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
      // What went wrong on another page is not read on this one.
      path.current = location.pathname;
      for (const { id } of shown) if (id?.startsWith(TROUBLE)) notifications.hide(id);
    };
    look();
    // A drawer may open or close meanwhile.
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

/** How high the buttons are that stand at the bottom right: of a drawer, of a list's selection, of a count. */
function heightBelow(): number {
  let height = 0;
  for (const foot of document.querySelectorAll('footer, [data-foot]')) {
    const { top, right, bottom, left } = foot.getBoundingClientRect();
    const isThere = right > innerWidth - WIDTH - GAP && left < innerWidth - GAP;
    // Only what ends there; a foot further up leaves the corner free.
    if (!isThere || bottom < innerHeight - GAP * 5 || top >= innerHeight || top < innerHeight / 3)
      continue;
    height = Math.max(height, Math.round(innerHeight - top));
  }
  return height;
}
