import type { ReactNode } from 'react';
import { Link } from 'react-router';
import textClasses from './Text.module.css';

/** A link if there is a URL, plain text otherwise. */
export function Linked({ href, children }: { href: string | null; children: ReactNode }) {
  if (!href) return children;
  return (
    <Link className={textClasses.link} to={href}>
      {children}
    </Link>
  );
}
