import { Button, Skeleton, TextInput } from '@mantine/core';
import { IconAlertTriangle, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { Page } from '#/ui/Page';
import { byTag, type Contract, operationsOf, searched } from './contract';
import { OperationForm } from './OperationForm';
import classes from './TestApi.module.css';

/** Every operation of the server, tried with the user's own rights. */
export default function TestApiPage() {
  const [search, setSearch] = useSearchParams();
  const { data, error, refetch } = useQuery({
    queryKey: ['api-contract'],
    queryFn: ({ signal }) =>
      request('GET', '/api/tools/test-api/contract', { signal }) as unknown as Promise<Contract>,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const operations = useMemo(() => (data ? operationsOf(data) : []), [data]);
  const text = search.get('q') ?? '';
  const found = useMemo(() => searched(operations, text), [operations, text]);
  const groups = useMemo(() => byTag(found), [found]);
  const open = operations.find(({ id }) => id === search.get('operation'));
  const set = (name: string, value: string) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        if (value) params.set(name, value);
        else params.delete(name);
        return params;
      },
      { replace: name === 'q', preventScrollReset: true },
    );

  return (
    <Page title="Test API" aside={data && plural(operations.length, 'operation')}>
      {error && !data ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The operations could not be loaded"
          text={Problem.of(error).message}
          action={
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      ) : !data ? (
        <Skeleton height={420} radius="md" aria-busy />
      ) : (
        <div className={classes.layout} data-open={open ? true : undefined}>
          <div className={classes.side}>
            <TextInput
              aria-label="Search operations"
              placeholder="Search by word, path or method"
              leftSection={<IconSearch size={16} aria-hidden />}
              value={text}
              onChange={(event) => set('q', event.currentTarget.value)}
            />
            <nav className={classes.list} aria-label="Operations">
              {found.length === 0 && <p className={classes.quiet}>No operation matches.</p>}
              {[...groups].map(([tag, all]) => (
                <details key={tag} open={text !== '' || tag === open?.tag}>
                  <summary>
                    {tag} <span className={classes.quiet}>{all.length}</span>
                  </summary>
                  {all.map((operation) => (
                    <button
                      key={operation.id}
                      type="button"
                      className={classes.operation}
                      aria-current={operation.id === open?.id ? 'true' : undefined}
                      onClick={() => set('operation', operation.id)}
                    >
                      <span className={classes.method} data-method={operation.method}>
                        {operation.method}
                      </span>
                      <span className={classes.path}>{operation.path}</span>
                    </button>
                  ))}
                </details>
              ))}
            </nav>
          </div>
          {open ? (
            <OperationForm key={open.id} operation={open} contract={data} />
          ) : (
            <EmptyState
              icon={IconSearch}
              compact
              title="Choose an operation"
              text="It is sent with your own rights. What writes asks first."
            />
          )}
        </div>
      )}
    </Page>
  );
}
