import { ActionIcon, Button, Checkbox, Textarea, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { DrawerForm } from '#/form/DrawerForm';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { ErrorBox } from '#/ui/ErrorBox';
import { done } from '#/ui/toast';
import { FIGURES, type Layout, send } from './api';
import classes from './Cmsr.module.css';

interface Props {
  lessor: string;
  layout: Layout;
  onClose(): void;
}

/** The columns a lessor wants, in their order and by their names. */
export function LayoutDrawer({ lessor, layout, onClose }: Props) {
  const [head, setHead] = useState({ title: layout.title, statement: layout.statement });
  const [columns, setColumns] = useState(() => [
    ...layout.columns.map((column) => ({ ...column, on: true })),
    ...FIGURES.filter(({ figure }) => !layout.columns.some((one) => one.figure === figure)).map(
      ({ figure, title }) => ({ figure, title, on: false }),
    ),
  ]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);

  const change = (at: number, by: Partial<(typeof columns)[number]>) =>
    setColumns((now) => now.map((one, i) => (i === at ? { ...one, ...by } : one)));
  const move = (at: number, by: number) =>
    setColumns((now) => {
      const next = [...now];
      const [one] = next.splice(at, 1);
      if (one) next.splice(at + by, 0, one);
      return next;
    });

  async function save(): Promise<void> {
    setBusy(true);
    setProblem(null);
    const chosen = columns.filter(({ on }) => on).map(({ figure, title }) => ({ figure, title }));
    try {
      await send('PUT', '/layout', {
        lessor,
        layout: { ...head, columns: chosen, revision: layout.revision },
      });
      done('Columns saved');
      onClose();
    } catch (refused) {
      setProblem(Problem.of(refused));
    } finally {
      setBusy(false);
    }
  }

  return (
    <DrawerFrame
      opened
      title={lessor ? `Columns for ${lessor}` : 'Columns'}
      size={520}
      onClose={onClose}
    >
      <DrawerForm
        shortcut
        onSubmit={() => void save()}
        buttons={
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={busy}>
              Save columns
            </Button>
          </>
        }
      >
        <div className={classes.form}>
          {problem && <ErrorBox focus>{problem.message}</ErrorBox>}
          <TextInput
            label="Title"
            value={head.title}
            onChange={(event) => setHead({ ...head, title: event.currentTarget.value })}
          />
          <ul className={classes.columns}>
            {columns.map(({ figure, title, on }, at) => (
              <li key={figure}>
                <Checkbox
                  aria-label={`Show ${title}`}
                  checked={on}
                  onChange={(event) => change(at, { on: event.currentTarget.checked })}
                />
                <TextInput
                  size="xs"
                  aria-label={`Name of ${title}`}
                  value={title}
                  disabled={!on}
                  onChange={(event) => change(at, { title: event.currentTarget.value })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`${title} further left`}
                  disabled={at === 0}
                  onClick={() => move(at, -1)}
                >
                  <IconChevronUp size={16} aria-hidden />
                </ActionIcon>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`${title} further right`}
                  disabled={at === columns.length - 1}
                  onClick={() => move(at, 1)}
                >
                  <IconChevronDown size={16} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
          <Textarea
            label="Statement above the signature"
            autosize
            minRows={2}
            maxLength={1000}
            value={head.statement}
            onChange={(event) => setHead({ ...head, statement: event.currentTarget.value })}
          />
        </div>
      </DrawerForm>
    </DrawerFrame>
  );
}
