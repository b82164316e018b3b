import { IconExternalLink } from '@tabler/icons-react';
import { MISSING } from './format';
import classes from './WebLink.module.css';
import { webLink } from './webLink';

/** A typed address as a link, or as text if it is not one. */
export function WebLink({ address }: { address: string | null | undefined }) {
  const href = webLink(address);
  if (!address) return <span>{MISSING}</span>;
  if (!href) return <span>{address}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={classes.link}>
      <span>{address.replace(/^https?:\/\//i, '').replace(/\/$/, '')}</span>
      <IconExternalLink size={14} stroke={1.7} aria-label="(opens a new tab)" />
    </a>
  );
}
