import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import classes from './DropArea.module.css';

interface Props {
  title: string;
  hint: string;
  accept: string;
  disabled?: boolean;
  /** Whether the file field has the focus from the start. */
  focused?: boolean;
  /** Receives the first dropped file. */
  onFile?(file: File): void;
  /** Receives all of them. */
  onFiles?(files: File[]): void;
}

/** Drop one file or several, or choose them; uses a native file field. */
export function DropArea(props: Props) {
  const { title, hint, accept, disabled, focused, onFile, onFiles } = props;
  const [over, setOver] = useState(false);
  const [taken, setTaken] = useState('');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);

  function take(list: FileList | null): void {
    const files = [...(list ?? [])];
    const [file] = files;
    if (!file) return;
    setTaken(
      onFiles || files.length === 1 ? '' : `Only ${file.name} was taken. Drop one at a time.`,
    );
    if (onFiles) onFiles(files);
    else onFile?.(file);
  }

  function drag(event: DragEvent, inside: boolean): void {
    event.preventDefault();
    setOver(inside && !disabled);
  }

  return (
    <label
      htmlFor={id}
      className={classes.area}
      data-over={over || undefined}
      data-off={disabled || undefined}
      onDragEnter={(event) => drag(event, true)}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        if (!disabled) take(event.dataTransfer.files);
      }}
    >
      <input
        ref={field}
        id={id}
        type="file"
        accept={accept}
        multiple={onFiles !== undefined}
        disabled={disabled}
        className={classes.input}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
      <IconFileUpload size={26} stroke={1.5} aria-hidden />
      <span className={classes.title}>{title}</span>
      <span className={classes.hint}>{hint}</span>
      {taken && (
        <span className={classes.hint} role="status">
          {taken}
        </span>
      )}
    </label>
  );
}
