import { Button } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  busy: boolean;
  /** «Save lease». */
  children: ReactNode;
  onCancel(): void;
}

/** The buttons of a form in a drawer: leave it, or save it. */
export function SaveButtons({ busy, children, onCancel }: Props) {
  return (
    <>
      <Button variant="default" onClick={onCancel}>
        Cancel
      </Button>
      <Button type="submit" loading={busy}>
        {children}
      </Button>
    </>
  );
}
