import { ActionIcon, TextInput, type TextInputProps } from '@mantine/core';
import { IconCalendar } from '@tabler/icons-react';
import { isTouch, useDateText } from './useDateText';
import { usePhone } from './usePhone';

interface Props
  extends Omit<TextInputProps, 'value' | 'defaultValue' | 'onChange' | 'type' | 'min' | 'max'> {
  /** `YYYY-MM-DD`, or empty. Invalid text is passed on as is, and refused: it is not «none». */
  value: string;
  min?: string;
  max?: string;
  onChange(day: string): void;
}

/** The least width and height of what a finger touches. */
const TOUCHED = 44;

/** A date as «24 Nov 2026», typed or chosen from the browser's calendar. */
export function DateField({ value, min, max, error, onChange, onBlur, ...rest }: Props) {
  const phone = usePhone();
  const date = useDateText(value, onChange, { min, max });
  return (
    <TextInput
      placeholder="No date"
      {...rest}
      autoComplete="off"
      inputMode={isTouch() ? 'none' : undefined}
      classNames={{ input: 'num' }}
      value={date.text}
      error={date.fault ?? error}
      onChange={(event) => date.type(event.currentTarget.value)}
      onClick={(event) => !rest.readOnly && isTouch() && date.open(event.currentTarget)}
      onBlur={(event) => {
        date.leave();
        onBlur?.(event);
      }}
      rightSectionWidth={phone ? TOUCHED : undefined}
      rightSection={
        !rest.readOnly && (
          <ActionIcon
            variant="subtle"
            size={phone ? TOUCHED : undefined}
            color="gray"
            tabIndex={-1}
            aria-label="Open calendar"
            disabled={rest.disabled}
            onClick={(event) => date.open(event.currentTarget)}
          >
            <IconCalendar size={16} stroke={1.7} aria-hidden />
          </ActionIcon>
        )
      }
    />
  );
}
