import { Button, Code, Group, Stack, Text, Title } from '@mantine/core';
import { useRouteError } from 'react-router';
import { Problem } from '#/api/problem';
import { isMissingCode } from './missingCode';
import { NeedsConnection } from './NeedsConnection';

interface Props {
  error: unknown;
  retry(): void;
}

/** Shown in place of a screen that failed to render. */
export function Crash({ error, retry }: Props) {
  const problem = error instanceof Problem ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  return (
    <Stack align="center" justify="center" gap="sm" p="xl" mih="60vh" role="alert">
      <Title order={1}>Unexpected Application Error!</Title>
      <Text c="dimmed" maw={520} ta="center">
        {message}
      </Text>
      {problem?.requestId && (
        <Text size="sm" c="dimmed">
          Reference <Code>{problem.requestId}</Code>
        </Text>
      )}
      <Group>
        <Button onClick={retry}>Try again</Button>
        <Button variant="default" component="a" href="/">
          Back to start
        </Button>
      </Group>
    </Stack>
  );
}

/** The router's error element: the shell around the failed screen stays. */
export function RouteCrash() {
  const error = useRouteError();
  // Code that was not fetched before cannot be loaded offline.
  if (!navigator.onLine && isMissingCode(error)) return <NeedsConnection />;
  return <Crash error={error} retry={() => window.location.reload()} />;
}
