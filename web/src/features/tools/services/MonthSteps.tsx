import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { MonthName } from './MonthName';
import classes from './MonthName.module.css';

interface Props {
  month: string;
  /** Whether no month comes after it. */
  end?: boolean;
  onMove(by: 1 | -1): void;
}

/** The month that is shown, and the way to its neighbours. */
export function MonthSteps({ month, end = false, onMove }: Props) {
  return (
    <>
      <ActionIcon
        variant="default"
        size={32}
        aria-label="Month before"
        className={classes.step}
        onClick={() => onMove(-1)}
      >
        <IconChevronLeft size={17} />
      </ActionIcon>
      <MonthName month={month} />
      <ActionIcon
        variant="default"
        size={32}
        aria-label="Month after"
        className={classes.step}
        disabled={end}
        onClick={() => onMove(1)}
      >
        <IconChevronRight size={17} />
      </ActionIcon>
    </>
  );
}
