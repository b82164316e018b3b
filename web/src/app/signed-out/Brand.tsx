import classes from './signedOut.module.css';

/** Larder's logo. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true" className={classes.mark}>
      <rect width="32" height="32" rx="8" fill="#14292a" />
      <path d="M9 7.5h3.4v14h8.1v3H9z" fill="#fff" />
      <path d="M17 7.5h6v3h-6zM17 13h6v3h-6z" fill="#f2b544" />
    </svg>
  );
}

export function Brand({ name = 'Larder' }: { name?: string }) {
  return (
    <span className={classes.brand}>
      <Logo />
      {name}
    </span>
  );
}
