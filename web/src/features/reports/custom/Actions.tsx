import { ActionIcon, Button, Menu } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import {
  IconCopy,
  IconDotsVertical,
  IconMail,
  IconPencil,
  IconPrinter,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react';
import { type Ref, useImperativeHandle, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { done, undoable } from '#/ui/toast';
import { usePhone } from '#/ui/usePhone';
import { remove, restore, update } from './api';
import { SaveDialog, ShareDialog } from './Dialogs';
import { same, whole } from './definition';
import { MailDialog } from './MailDialog';
import type { Definition, Report } from './types';
import type { Builder } from './useBuilder';

type Opened = 'save' | 'copy' | 'rename' | 'share' | 'mail' | null;

/** Saving by keyboard. */
export interface Saves {
  /** Saves a definition, or asks for the name of a new report. */
  save(definition: Definition): void;
}

interface Props {
  ref?: Ref<Saves>;
  state: Builder;
  definition: Definition;
  /** The default name of an unnamed report. */
  suggested: string;
  /** Shows a definition's refusal at its parts; null once it is saved or sent again. */
  onRefused(problem: Problem | null): void;
}

/** Saves a report, and offers actions on a saved one. */
export function Actions({ ref, state, definition, suggested, onRefused }: Props) {
  const report = state.saved.data;
  const [opened, setOpened] = useState<Opened>(null);
  const saving = useSave({ shows: 'toast' });
  const navigate = useNavigate();
  const mayCreate = useCan('reports/reports', 'create');
  const mayEdit = useCan('reports/reports', 'edit');
  const mayDelete = useCan('reports/reports', 'delete');
  const mine = report?.mine === true;
  const phone = usePhone();

  const save = (of: Report, next: Definition = definition) => {
    onRefused(null);
    return saving.run(() => update(of, { definition: next }), {
      said: 'Report saved',
      onSaved: () => void navigate(to('reportCustomOne', { id: of.id }), { replace: true }),
      // The definition stays in the address.
      refused: (problem) => {
        if (problem.fields.length === 0) return false;
        onRefused(problem);
        return true;
      },
    });
  };

  function saveByKeys(next: Definition): void {
    if (opened !== null || saving.doing !== null) return;
    if (report && mine) {
      const kept = whole(report.definition);
      if (mayEdit && !(kept && same(kept, next))) void save(report, next);
    } else if (mayCreate) {
      setOpened(report ? 'copy' : 'save');
    }
  }
  // No tags are ignored: the shortcut works inside any field.
  useHotkeys([['mod+S', () => saveByKeys(definition)]], []);
  useImperativeHandle(ref, () => ({ save: saveByKeys }));

  const takeOut = (of: Report) =>
    saving.run(() => remove(of), {
      as: 'delete',
      onSaved: () => {
        const list = to('reports', { tab: 'custom' });
        void navigate(list);
        undoable({
          message: `Report «${of.name}» deleted`,
          records: [of.id],
          path: list,
          undo: () => restore(of),
        });
      },
    });

  const saved = (made: Report) => {
    setOpened(null);
    done(`«${made.name}» saved`);
    // Keep the builder open.
    void navigate(to('reportCustomOne', { id: made.id }), { state: { building: true } });
  };

  return (
    <>
      {report && mine && mayEdit && (
        <Button
          size={phone ? 'md' : 'compact-md'}
          loading={saving.doing === 'save'}
          disabled={!state.changed}
          onClick={() => void save(report)}
        >
          Save
        </Button>
      )}
      {!report && mayCreate && (
        <Button size={phone ? 'md' : 'compact-md'} onClick={() => setOpened('save')}>
          Save
        </Button>
      )}
      {report && !mine && mayCreate && (
        <Button size={phone ? 'md' : 'compact-md'} onClick={() => setOpened('copy')}>
          Save a copy
        </Button>
      )}
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <ActionIcon variant="default" size={phone ? 44 : 30} aria-label="More">
            <IconDotsVertical size={17} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {report && mine && mayEdit && (
            <>
              <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setOpened('rename')}>
                Rename
              </Menu.Item>
              <Menu.Item leftSection={<IconUsers size={16} />} onClick={() => setOpened('share')}>
                Share
              </Menu.Item>
              <Menu.Item leftSection={<IconMail size={16} />} onClick={() => setOpened('mail')}>
                Send by mail
              </Menu.Item>
            </>
          )}
          {report && mayCreate && (
            <Menu.Item leftSection={<IconCopy size={16} />} onClick={() => setOpened('copy')}>
              Duplicate
            </Menu.Item>
          )}
          <Menu.Item leftSection={<IconPrinter size={16} />} onClick={() => window.print()}>
            Print
          </Menu.Item>
          {report && mine && mayDelete && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => void takeOut(report)}>
                Delete
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {opened === 'save' && (
        <SaveDialog
          title="Save report"
          confirm="Save report"
          name={suggested.slice(0, 100)}
          about=""
          definition={definition}
          onSaved={saved}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'copy' && report && (
        <SaveDialog
          title="Save a copy"
          confirm="Save copy"
          name={`${report.name} (copy)`.slice(0, 100)}
          about={report.about}
          definition={definition}
          onSaved={saved}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'rename' && report && (
        <SaveDialog
          title="Rename report"
          confirm="Save name"
          name={report.name}
          about={report.about}
          report={report}
          onSaved={() => {
            setOpened(null);
            done('Name saved');
          }}
          onClose={() => setOpened(null)}
        />
      )}
      {opened === 'share' && report && (
        <ShareDialog report={report} onClose={() => setOpened(null)} />
      )}
      {opened === 'mail' && report && (
        <MailDialog report={report} onClose={() => setOpened(null)} />
      )}
    </>
  );
}
