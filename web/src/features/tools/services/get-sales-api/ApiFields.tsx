import { Select, Textarea, TextInput } from '@mantine/core';
import type { ApiSettings } from '#/connectors/api';
import classes from '#/connectors/Connectors.module.css';
import { DaysFields } from '#/connectors/DaysFields';
import { NumericInput } from '#/ui/NumericInput';

interface Props {
  settings: ApiSettings;
  onChange(settings: ApiSettings): void;
  errorOf(field: string): string | null;
}

const AUTHS: { value: ApiSettings['auth']['kind']; label: string }[] = [
  { value: 'none', label: 'Nothing' },
  { value: 'header', label: 'A header' },
  { value: 'bearer', label: 'A bearer token' },
  { value: 'basic', label: 'User name and password' },
  { value: 'oAuth', label: 'OAuth client credentials' },
];

const PAGINGS: { value: ApiSettings['paging']['kind']; label: string }[] = [
  { value: 'none', label: 'All at once' },
  { value: 'page', label: 'By page number, {page}' },
  { value: 'cursor', label: 'By cursor, {cursor}' },
  { value: 'link', label: 'By the Link header' },
  { value: 'next', label: "By the next page's address" },
];

/** An API's address, authentication and paging. */
export function ApiFields({ settings, onChange, errorOf }: Props) {
  const { auth, paging } = settings;
  const set = (part: Partial<ApiSettings>) => onChange({ ...settings, ...part });
  return (
    <div className={classes.fields}>
      <TextInput
        className={classes.wide}
        label="Address"
        required
        placeholder="https://pos.example.com/sales?date={date}"
        description="{date} is the day; {from} and {to} are a range; {page} and {cursor} lead through pages."
        value={settings.url}
        data-path="settings.url"
        error={errorOf('settings.url')}
        onChange={(event) => set({ url: event.currentTarget.value })}
      />
      <Select
        label="Method"
        data={['GET', 'POST']}
        value={settings.method}
        allowDeselect={false}
        withScrollArea={false}
        onChange={(it) => set({ method: (it ?? 'GET') as ApiSettings['method'] })}
      />
      {settings.method === 'POST' && (
        <Textarea
          className={classes.wide}
          label="Body"
          autosize
          minRows={3}
          value={settings.body ?? ''}
          data-path="settings.body"
          error={errorOf('settings.body')}
          onChange={(event) => set({ body: event.currentTarget.value || null })}
        />
      )}
      <Select
        label="Signs in with"
        data={AUTHS}
        value={auth.kind}
        allowDeselect={false}
        withScrollArea={false}
        onChange={(it) => set({ auth: blankAuth((it ?? 'none') as typeof auth.kind) })}
      />
      {auth.kind === 'header' && (
        <TextInput
          label="Header"
          placeholder="X-Api-Key"
          value={auth.name}
          data-path="settings.auth.name"
          error={errorOf('settings.auth.name')}
          onChange={(event) => set({ auth: { ...auth, name: event.currentTarget.value } })}
        />
      )}
      {auth.kind === 'basic' && (
        <TextInput
          label="User name"
          value={auth.userName}
          data-path="settings.auth.userName"
          error={errorOf('settings.auth.userName')}
          onChange={(event) => set({ auth: { ...auth, userName: event.currentTarget.value } })}
        />
      )}
      {auth.kind === 'oAuth' && (
        <>
          <TextInput
            label="Address for tokens"
            value={auth.tokenUrl}
            data-path="settings.auth.tokenUrl"
            error={errorOf('settings.auth.tokenUrl')}
            onChange={(event) => set({ auth: { ...auth, tokenUrl: event.currentTarget.value } })}
          />
          <TextInput
            label="Client id"
            value={auth.clientId}
            data-path="settings.auth.clientId"
            error={errorOf('settings.auth.clientId')}
            onChange={(event) => set({ auth: { ...auth, clientId: event.currentTarget.value } })}
          />
          <TextInput
            label="Scope"
            value={auth.scope ?? ''}
            onChange={(event) =>
              set({ auth: { ...auth, scope: event.currentTarget.value || null } })
            }
          />
        </>
      )}
      <Select
        label="Pages come"
        data={PAGINGS}
        value={paging.kind}
        allowDeselect={false}
        withScrollArea={false}
        onChange={(it) => set({ paging: blankPaging((it ?? 'none') as typeof paging.kind) })}
      />
      {paging.kind === 'page' && (
        <NumericInput
          reads="whole"
          label="The first page is"
          value={paging.first}
          min={0}
          onChange={(first) => set({ paging: { ...paging, first: first as number } })}
        />
      )}
      {(paging.kind === 'cursor' || paging.kind === 'next') && (
        <TextInput
          label={paging.kind === 'cursor' ? 'Next cursor' : "Next page's address"}
          placeholder="Click it in the answer"
          value={paging.path}
          data-path="settings.paging.path"
          error={errorOf('settings.paging.path')}
          onChange={(event) => set({ paging: { ...paging, path: event.currentTarget.value } })}
        />
      )}
      <DaysFields settings={settings} errorOf={errorOf} onChange={set} />
    </div>
  );
}

function blankAuth(kind: ApiSettings['auth']['kind']): ApiSettings['auth'] {
  if (kind === 'header') return { kind, name: '' };
  if (kind === 'basic') return { kind, userName: '' };
  if (kind === 'oAuth') return { kind, tokenUrl: '', clientId: '' };
  return { kind };
}

function blankPaging(kind: ApiSettings['paging']['kind']): ApiSettings['paging'] {
  if (kind === 'page') return { kind, first: 1 };
  if (kind === 'cursor' || kind === 'next') return { kind, path: '' };
  return { kind };
}
