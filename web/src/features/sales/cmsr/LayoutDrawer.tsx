import { ActionIcon, Checkbox, Textarea, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useState } from 'react';
import { DrawerForm } from '#/form/DrawerForm';
import { SaveButtons } from '#/form/SaveButtons';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { compare } from '#/form/versions';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { FIGURES, type Layout, setLayout } from './api';
import classes from './Cmsr.module.css';

interface Props {
  lessor: string;
  layout: Layout;
  onClose(): void;
}

const headOf = ({ title, statement }: Layout) => ({ title, statement });

/** All figures: those of the layout in order, then those it leaves out. */
const columnsOf = (layout: Layout) => [
  ...layout.columns.map((column) => ({ ...column, on: true })),
  ...FIGURES.filter(({ figure }) => !layout.columns.some((one) => one.figure === figure)).map(
    ({ figure, title }) => ({ figure, title, on: false }),
  ),
];

const LABELS = { title: 'Title', statement: 'Statement above the signature', columns: 'Columns' };
const titles = (columns: readonly { title: string }[]) => columns.map(({ title }) => title);

/** The lessor's columns, with order and labels. */
export function LayoutDrawer({ lessor, layout, onClose }: Props) {
  const [head, setHead] = useState(() => headOf(layout));
  const [columns, setColumns] = useState(() => columnsOf(layout));
  const saving = useSave<Layout>({ revision: layout.revision });

  const change = (at: number, by: Partial<(typeof columns)[number]>) =>
    setColumns((now) => now.map((one, i) => (i === at ? { ...one, ...by } : one)));
  const move = (at: number, by: number) =>
    setColumns((now) => {
      const next = [...now];
      const [one] = next.splice(at, 1);
      if (one) next.splice(at + by, 0, one);
      return next;
    });

  const chosen = columns.filter(({ on }) => on).map(({ figure, title }) => ({ figure, title }));
  const save = () =>
    void saving.run(
      (revision) =>
        setLayout({
          lessor,
          layout: { ...head, columns: chosen, revision: revision ?? 0 },
        }),
      { said: 'Columns saved', onSaved: onClose },
    );

  return (
    <DrawerFrame
      opened
      title={lessor ? `Columns for ${lessor}` : 'Columns'}
      size={520}
      onClose={onClose}
    >
      <DrawerForm
        shortcut
        onSubmit={save}
        buttons={
          <SaveButtons busy={saving.busy} onCancel={onClose}>
            Save columns
          </SaveButtons>
        }
      >
        <div className={classes.form}>
          <SaveProblem
            save={saving}
            of="all"
            versions={(theirs) =>
              compare(
                LABELS,
                { ...head, columns: titles(chosen) },
                { ...headOf(theirs), columns: titles(theirs.columns) },
              )
            }
            onTheirs={(theirs) => {
              setHead(headOf(theirs));
              setColumns(columnsOf(theirs));
              saving.setProblem(null);
            }}
          />
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
