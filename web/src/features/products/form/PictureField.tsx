import { Button, FileButton, Progress } from '@mantine/core';
import { IconCamera, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { DropArea } from '#/ui/DropArea';
import { ErrorBox } from '#/ui/ErrorBox';
import { usePhone } from '#/ui/usePhone';
import classes from './PictureField.module.css';
import { ACCEPT, rejectReason } from './picture';

/** What happens to the picture when the product is saved. */
export type PictureChange = File | 'remove' | null;

interface Props {
  /** The picture it has now. */
  url: string | null;
  change: PictureChange;
  /** From 0 to 1 while it is sent. */
  progress: number | null;
  readOnly?: boolean;
  onChange(change: PictureChange): void;
}

/** Takes a picture by drop, file choice or camera; it is sent when the product is saved. */
export function PictureField({ url, change, progress, readOnly, onChange }: Props) {
  const [wrong, setWrong] = useState<string | null>(null);
  const chosen = useObjectUrl(change instanceof File ? change : null);
  const phone = usePhone();
  const shown = change === 'remove' ? null : (chosen ?? url);

  function take(file: File | null): void {
    if (!file) return;
    const refused = rejectReason(file);
    setWrong(refused);
    if (!refused) onChange(file);
  }

  return (
    <div className={classes.field}>
      {shown && (
        <div className={classes.shown}>
          <img src={shown} alt="The product" className={classes.picture} />
          {!readOnly && (
            <Button
              size="compact-sm"
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={15} aria-hidden />}
              onClick={() => onChange(change instanceof File ? null : 'remove')}
            >
              {change instanceof File ? 'Leave it out' : 'Remove picture'}
            </Button>
          )}
        </div>
      )}
      {!readOnly && (
        <div className={classes.take}>
          <DropArea
            title={shown ? 'Drop another picture' : 'Drop a picture'}
            hint="or choose one: JPEG, PNG, WebP or GIF"
            accept={ACCEPT}
            onFile={take}
          />
          {phone && (
            <FileButton
              accept="image/*"
              capture="environment"
              onChange={take}
              inputProps={{ 'aria-label': 'Take a photo' }}
            >
              {(props) => (
                <Button
                  {...props}
                  variant="default"
                  fullWidth
                  leftSection={<IconCamera size={17} aria-hidden />}
                >
                  Take a photo
                </Button>
              )}
            </FileButton>
          )}
          {wrong && <ErrorBox>{wrong}</ErrorBox>}
        </div>
      )}
      {!shown && readOnly && <p className={classes.none}>No picture.</p>}
      {progress !== null && (
        <Progress
          value={progress * 100}
          className={classes.progress}
          aria-label="Sending the picture"
          transitionDuration={120}
        />
      )}
    </div>
  );
}

/** An object URL for a file that is not sent yet. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) {
      setUrl(null);
      return;
    }
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}
