import { IconAlertCircle, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import classes from './ErrorBox.module.css';

/** An error in place; announced to screen readers. */
export function ErrorBox({ children, focus }: { children: ReactNode; focus?: boolean }) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new message takes the focus
  useEffect(() => {
    if (focus) box.current?.focus();
  }, [focus, children]);
  return (
    <div ref={box} className={classes.box} role="alert" tabIndex={-1} data-tone="danger">
      <IconAlertCircle size={18} stroke={1.8} aria-hidden />
      <span>{children}</span>
    </div>
  );
}

/** A neutral notice. */
export function NoticeBox({ children, ref }: { children: ReactNode; ref?: Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className={classes.box} role="status" data-tone="neutral">
      <IconInfoCircle size={18} stroke={1.8} aria-hidden />
      <span>{children}</span>
    </div>
  );
}
