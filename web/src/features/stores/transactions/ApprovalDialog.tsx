import { Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, body } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { type WasteSettings, wasteDef } from '#/documents/waste';
import { Dialog } from '#/ui/Dialog';
import { amount, money, parseDecimal } from '#/ui/format';
import { done } from '#/ui/toast';

const KEY = [...wasteDef.key, 'settings'];

/** Above what it is worth waste waits for approval. */
export function ApprovalDialog({ onClose }: { onClose(): void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const settings = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => body(api.GET('/api/stores/waste/settings', { signal })),
  });
  const now: WasteSettings | undefined = settings.data;
  const shown = typed ?? (now?.approvalAbove == null ? '' : amount(now.approvalAbove));
  const wished = shown.trim() === '' ? null : parseDecimal(shown);
  const wrong = shown.trim() !== '' && (wished === null || wished < 0);
  const save = useMutation<WasteSettings, Problem>({
    mutationFn: () =>
      body(
        api.PUT('/api/stores/waste/settings', {
          body: { approvalAbove: wished, revision: now?.revision ?? 0 },
        }),
      ).catch((error: unknown) => {
        throw Problem.of(error);
      }),
    onSuccess: (saved) => {
      queries.setQueryData(KEY, saved);
      done(
        saved.approvalAbove == null
          ? 'No waste waits for approval'
          : `Above ${money(saved.approvalAbove)} waste waits for approval`,
      );
      onClose();
    },
    onError: (problem) => {
      if (problem.code === 'stale') queries.setQueryData(KEY, problem.extras.current);
    },
  });
  const problem = save.error ?? (settings.error && Problem.of(settings.error));
  return (
    <Dialog
      opened
      title="Approval of waste"
      keep="Cancel"
      confirm="Save"
      busy={save.isPending}
      disabled={!now || wrong}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <Text size="sm" mb="sm">
        A waste report worth more than this waits until somebody with the right approves it. Leave
        it empty and every report is posted at once. It holds for all stores.
      </Text>
      <TextInput
        label="Needs approval above (₱)"
        placeholder="No approval"
        inputMode="decimal"
        data-autofocus
        disabled={!now}
        value={shown}
        error={
          wrong
            ? 'Enter an amount, zero or more.'
            : (problem?.fields[0]?.message ?? problem?.message)
        }
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && now && !wrong) save.mutate();
        }}
      />
    </Dialog>
  );
}
