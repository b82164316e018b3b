import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconFileUnknown } from '@tabler/icons-react';
import { EmptyState } from './EmptyState';

interface Props {
  /** «This product could not be opened». */
  title: string;
  /** Why it could not; null while it loads. */
  failed: string | null;
  /** Placeholder lines while it loads. */
  rows?: number;
  onClose(): void;
}

/** The body of a drawer whose record is loading or could not be opened. */
export function DrawerLoading({ title, failed, rows = 4, onClose }: Props) {
  return (
    <Drawer.Body p="lg">
      {failed !== null ? (
        <EmptyState
          icon={IconFileUnknown}
          role="alert"
          title={title}
          text={failed}
          action={
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          }
        />
      ) : (
        Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are all alike
          <Skeleton key={i} height={36} mb="lg" />
        ))
      )}
    </Drawer.Body>
  );
}
