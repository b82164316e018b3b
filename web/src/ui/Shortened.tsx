import { Text } from '@mantine/core';
import { count } from './format';

interface Props {
  shown: number;
  total: number | undefined;
  many: string;
  /** Where to find the others. */
  hint?: string;
}

/** Says under a list that it does not show everything; nothing if it does. */
export function Shortened({ shown, total = 0, many, hint }: Props) {
  if (total <= shown) return null;
  return (
    <Text size="sm" c="var(--muted)" role="note">
      {count(shown)} of {count(total)} {many} are shown. {hint}
    </Text>
  );
}
