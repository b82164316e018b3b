import classes from './Kbd.module.css';

export function Kbd({ children }: { children: string }) {
  return <kbd className={classes.kbd}>{children}</kbd>;
}
