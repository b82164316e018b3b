import { Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { Dialog } from '#/ui/Dialog';
import { numberField } from '#/ui/numberField';
import { faultOf, numberOf, showNumber } from '#/ui/numberInput';
import { done } from '#/ui/toast';

interface Ruled {
  revision?: number;
}

interface Rule<T extends Ruled> {
  title: string;
  /** Explains the figure, above its field. */
  about: string;
  label: string;
  /** What an empty field means. */
  placeholder: string;
  key: readonly unknown[];
  load(signal: AbortSignal): Promise<T>;
  save(value: number | null, revision: number): Promise<T>;
  valueOf(rule: T): number | null | undefined;
  /** The error in a figure, if any. */
  check(value: number | null): string | null;
  /** The toast for a saved rule. */
  said(rule: T): string;
}

/** A figure for the documents of all stores; another user's change is shown before it is overwritten. */
export function RuleDialog<T extends Ruled>(props: { rule: Rule<T>; onClose(): void }) {
  const { rule, onClose } = props;
  const [typed, setTyped] = useState<string | null>(null);
  const settings = useQuery({ queryKey: rule.key, queryFn: ({ signal }) => rule.load(signal) });
  const now = settings.data;
  const value = now && rule.valueOf(now);
  const shown = typed ?? showNumber(value, 'money');
  const empty = shown.trim() === '';
  const wished = empty ? null : numberOf(shown, 'money');
  const wrong = !empty && wished === null ? faultOf(shown, 'money') : rule.check(wished);
  const save = useMutation<T, Problem>({
    mutationFn: () =>
      rule.save(wished, now?.revision ?? 0).catch((error: unknown) => {
        throw Problem.of(error);
      }),
    onSuccess: (saved) => {
      queries.setQueryData(rule.key, saved);
      done(rule.said(saved));
      onClose();
    },
    onError: (problem) => {
      if (problem.code === 'stale') queries.setQueryData(rule.key, problem.extras.current);
    },
  });
  const problem = save.error ?? (settings.error && Problem.of(settings.error));
  return (
    <Dialog
      opened
      title={rule.title}
      keep="Cancel"
      confirm="Save"
      busy={save.isPending}
      disabled={!now || wrong !== null}
      onConfirm={() => save.mutate()}
      onClose={onClose}
    >
      <Text size="sm" mb="sm">
        {rule.about}
      </Text>
      <TextInput
        label={rule.label}
        placeholder={rule.placeholder}
        {...numberField('money')}
        data-autofocus
        disabled={!now}
        value={shown}
        error={wrong ?? problem?.fields[0]?.message ?? problem?.message}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && now && wrong === null) save.mutate();
        }}
      />
    </Dialog>
  );
}
