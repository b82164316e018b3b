import { IconFileUpload } from '@tabler/icons-react';
import { type DragEvent, useId, useState } from 'react';
import classes from './DropArea.module.css';

interface Props {
  title: string;
  hint: string;
  accept: string;
  disabled?: boolean;
  onFile(file: File): void;
}

/** Drop a file or choose one; a native file field does the work. */
export function DropArea({ title, hint, accept, disabled, onFile }: Props) {
  const [over, setOver] = useState(false);
  const id = useId();

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
        const file = event.dataTransfer.files[0];
        if (file && !disabled) onFile(file);
      }}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        disabled={disabled}
        className={classes.input}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = '';
          if (file) onFile(file);
        }}
      />
      <IconFileUpload size={26} stroke={1.5} aria-hidden />
      <span className={classes.title}>{title}</span>
      <span className={classes.hint}>{hint}</span>
    </label>
  );
}
