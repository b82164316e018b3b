import { type ReactNode, useState } from 'react';
import { Problem } from '#/api/problem';
import { DropArea } from '#/ui/DropArea';

/** The server's limit. */
export const MAX_MIB = 64;

interface Props {
  title: string;
  hint: string;
  /** Whether JSON files are read too. */
  json?: boolean;
  focused?: boolean;
  onFile(file: File): Promise<void>;
  /** Renders a refusal. */
  refused(words: string): ReactNode;
}

/** Drop or choose a file; shows its upload and why it failed. */
export function UploadArea({ title, hint, json, focused, onFile, refused }: Props) {
  const [uploading, setUploading] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);

  async function upload(file: File): Promise<void> {
    setError(null);
    if (file.size > MAX_MIB * 1024 * 1024) {
      setError(`“${file.name}” is larger than ${MAX_MIB} MB. Split it and import the parts.`);
      return;
    }
    setUploading(file.name);
    try {
      await onFile(file);
    } catch (problem) {
      const { fields, message } = Problem.of(problem);
      setError(fields[0]?.message ?? message);
    } finally {
      setUploading(null);
    }
  }

  return (
    <>
      <DropArea
        title={uploading ? `Uploading “${uploading}”…` : title}
        hint={hint}
        accept={`.csv,.txt,.tsv,.xlsx${json ? ',.json' : ''}`}
        disabled={uploading !== null}
        focused={focused}
        onFile={(file) => void upload(file)}
      />
      {error && refused(error)}
    </>
  );
}
