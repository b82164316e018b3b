import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from 'react-router';
import classes from './BackLink.module.css';

export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <Link
      to={to}
      className={`${classes.back} no-print`}
      aria-label={`Back to ${label}`}
      title={label}
    >
      <IconArrowLeft size={18} stroke={1.8} aria-hidden />
    </Link>
  );
}
