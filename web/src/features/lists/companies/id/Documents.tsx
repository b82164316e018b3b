import { ActionIcon, Button, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconDownload,
  IconFileText,
  IconPencil,
  IconPhoto,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { Dialog } from '#/ui/Dialog';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { bytes, DOT, day } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { done } from '#/ui/toast';
import { companies } from '../def';
import { DocumentDialog } from './DocumentDialog';
import classes from './Documents.module.css';
import { type CompanyDocument, documentsApi, expiry, KINDS } from './documents';

/** Permits and registrations, the first to expire on top. */
export function Documents({ companyId }: { companyId: string }) {
  const mayEdit = useCan(companies.permission, 'edit');
  const [editing, setEditing] = useState<CompanyDocument | 'new' | null>(null);
  const [asked, setAsked] = useState<CompanyDocument | null>(null);
  const removing = useSave({ shows: 'toast' });
  const { data, error, refetch } = useQuery({
    queryKey: ['lists', companies.slug, 'documents', companyId],
    queryFn: ({ signal }) => documentsApi.all(companyId, signal),
  });
  const changed = () => {
    void refetch();
    void queries.invalidateQueries({ queryKey: ['usedBy', companies.slug, companyId] });
  };

  const remove = async ({ id }: CompanyDocument) =>
    removing.run(() => documentsApi.remove(companyId, id), {
      said: 'Document deleted',
      onSaved: () => setAsked(null),
      onSettled: changed,
    });

  const add = mayEdit && (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlus size={15} aria-hidden />}
      onClick={() => setEditing('new')}
    >
      Add document
    </Button>
  );
  const documents = [...(data ?? [])].sort((a, b) =>
    (a.expires ?? '9999').localeCompare(b.expires ?? '9999'),
  );

  return (
    <>
      {error && !data ? (
        <EmptyState
          compact
          role="alert"
          icon={IconAlertTriangle}
          title="The documents could not be loaded"
          text={Problem.of(error).message}
          action={
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      ) : !data ? (
        <Skeleton height={120} radius="md" />
      ) : documents.length === 0 ? (
        <EmptyState
          compact
          icon={IconFileText}
          title="No documents yet"
          text="Keep the company’s permits and registrations here, and see when they run out."
          action={add}
        />
      ) : (
        <>
          <ul className={classes.list}>
            {documents.map((document) => (
              <Row
                key={document.id}
                companyId={companyId}
                document={document}
                mayEdit={mayEdit}
                onEdit={() => setEditing(document)}
                onDelete={() => setAsked(document)}
              />
            ))}
          </ul>
          {add}
        </>
      )}
      {editing && (
        <DocumentDialog
          companyId={companyId}
          document={editing === 'new' ? null : editing}
          onClose={() => setEditing(null)}
          onSaved={(created) => {
            setEditing(null);
            done(created ? 'Document added' : 'Document saved');
            changed();
          }}
        />
      )}
      <Dialog
        opened={asked !== null}
        title={`Delete “${asked?.title}”?`}
        keep="Keep document"
        confirm="Delete document"
        danger
        busy={removing.busy}
        onConfirm={() => asked && void remove(asked)}
        onClose={() => setAsked(null)}
      >
        <p>The file is deleted too. This can’t be undone.</p>
      </Dialog>
    </>
  );
}

interface RowProps {
  companyId: string;
  document: CompanyDocument;
  mayEdit: boolean;
  onEdit(): void;
  onDelete(): void;
}

function Row({ companyId, document, mayEdit, onEdit, onDelete }: RowProps) {
  const { title, kind, number, issued, expires, contentType, size, createdBy } = document;
  const Picture = contentType.startsWith('image/') ? IconPhoto : IconFileText;
  const state = expiry(expires, today());
  const facts = [
    KINDS.find(({ value }) => value === kind)?.label ?? kind,
    number && `No. ${number}`,
    issued && `issued ${day(issued)}`,
    bytes(size),
    createdBy?.name && `added by ${createdBy.name}`,
  ].filter(Boolean);
  const href = documentsApi.fileHref(companyId, document.id);
  return (
    <li className={classes.row}>
      <Picture size={22} stroke={1.5} className={classes.icon} aria-hidden />
      <div className={classes.main}>
        <span className={classes.title}>{title}</span>
        <span className={classes.facts}>{facts.join(DOT)}</span>
      </div>
      {state && <StatusPill tone={state.tone}>{state.words}</StatusPill>}
      <div className={classes.actions}>
        <ActionIcon
          component="a"
          href={href}
          download={document.fileName}
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Download ${title}`}
          title="Download"
        >
          <IconDownload size={17} stroke={1.6} />
        </ActionIcon>
        {mayEdit && (
          <>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Edit ${title}`}
              title="Edit"
              onClick={onEdit}
            >
              <IconPencil size={17} stroke={1.6} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label={`Delete ${title}`}
              title="Delete"
              onClick={onDelete}
            >
              <IconTrash size={17} stroke={1.6} />
            </ActionIcon>
          </>
        )}
      </div>
    </li>
  );
}
