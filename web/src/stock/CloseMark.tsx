import { IconHelpCircle } from '@tabler/icons-react';
import classes from './CloseMark.module.css';

export const CLOSE_TEXT =
  'Goods came or left close to the last count. Nobody has said if they were counted.';

interface Props {
  /** The text stands beside it. */
  beside?: true;
}

/** Marks a figure that depends on an unanswered question about goods close to a count. */
export function CloseMark({ beside }: Props) {
  return (
    <span className={classes.mark} title={beside ? undefined : CLOSE_TEXT}>
      <IconHelpCircle size={15} aria-hidden />
      {!beside && <span className="sr-only">Not answered: {CLOSE_TEXT}</span>}
    </span>
  );
}
