import { ActionIcon } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { MonthName } from './MonthName';
import classes from './MonthName.module.css';

interface Props {
  month: string;
  /** Whether this is the last month. */
  end?: boolean;
  onMove(by: 1 | -1): void;
}

/** The month shown, with buttons to the previous and the next. */
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
