import { Button, CopyButton } from '@mantine/core';
import { IconCopy, IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { csvOf, download } from '#/ui/csv';
import { DropArea } from '#/ui/DropArea';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { Page, Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import classes from './Ocr.module.css';

type ReadText = components['schemas']['ReadText'];

const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif,application/pdf';

/** Any picture or PDF to text and table. Nothing is stored. */
export default function OcrPage() {
  const [read, setRead] = useState<ReadText | null>(null);
  const [name, setName] = useState('');
  const { busy, problem, run } = useSave();
  const [shown, setShown] = useState<'text' | 'table'>('text');
  const may = useCan('tools/services', 'edit');

  async function send(file: File): Promise<void> {
    setRead(null);
    setName(file.name);
    await run(() => request('POST', '/api/tools/services/ocr', { raw: file }), {
      onSaved: setRead,
    });
  }
  const save = (text: string, ending: string, type: string) =>
    download(`${name.replace(/\.[^.]*$/, '') || 'text'}.${ending}`, text, type);

  return (
    <Page title="OCR" back={<BackLink to={to('toolsServices')} label="Services" />}>
      <Panel>
        <DropArea
          title={busy ? `Reading ${name}…` : 'Drop a picture or a PDF'}
          hint="or choose one: JPEG, PNG, WebP, GIF or PDF, 10 MiB, ten pages. Nothing is kept."
          accept={ACCEPT}
          disabled={busy || !may}
          onFiles={([file]) => file && void send(file)}
        />
        {problem && <ErrorBox>{problem.message}</ErrorBox>}
      </Panel>
      {read && (
        <Panel
          title={name}
          aside={
            <div className={classes.actions}>
              <Segments
                label="Shown as"
                value={shown}
                options={[
                  { value: 'text', label: 'Text' },
                  { value: 'table', label: 'Table' },
                ]}
                onChange={(next) => setShown(next === 'table' ? 'table' : 'text')}
              />
              <CopyButton value={shown === 'text' ? read.text : csvOf(read.table, '\t')}>
                {({ copied, copy }) => (
                  <Button
                    size="compact-md"
                    variant="default"
                    leftSection={<IconCopy size={15} aria-hidden />}
                    onClick={copy}
                  >
                    {copied ? 'Copied' : 'Copy'}
                  </Button>
                )}
              </CopyButton>
              <Button
                size="compact-md"
                variant="default"
                leftSection={<IconDownload size={15} aria-hidden />}
                onClick={() =>
                  shown === 'text'
                    ? save(read.text, 'txt', 'text/plain')
                    : save(`\ufeff${csvOf(read.table, ',')}`, 'csv', 'text/csv')
                }
              >
                {shown === 'text' ? 'Text file' : 'CSV'}
              </Button>
            </div>
          }
        >
          {read.text.trim() === '' ? (
            <p className={classes.none}>
              No text was found. Send a sharper picture, upright and filling the frame.
            </p>
          ) : shown === 'text' ? (
            <pre className={classes.text} role="region" aria-label="Text" tabIndex={0}>
              {read.text}
            </pre>
          ) : (
            <div className={classes.scroll} role="region" aria-label="Table" tabIndex={0}>
              <table className={classes.table}>
                <tbody>
                  {read.table.map((row, r) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id
                    <tr key={r}>
                      {row.map((cell, c) => (
                        // biome-ignore lint/suspicious/noArrayIndexKey: nor do cells
                        <td key={c}>{cell}</td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {read.pages.length > 1 && (
            <p className={classes.none}>{plural(read.pages.length, 'page')}</p>
          )}
        </Panel>
      )}
    </Page>
  );
}
