import { Modal } from '@mantine/core';
import { Kbd } from '#/ui/Kbd';
import { useReturnFocus } from '#/ui/useReturnFocus';
import classes from './Shortcuts.module.css';

const GROUPS = [
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl K', 'Search, jump to a page or record'],
      ['?', 'Show these keys'],
      ['Esc', 'Close what is open'],
    ],
  },
  {
    title: 'Lists',
    keys: [
      ['↓ or J', 'Next row'],
      ['↑ or K', 'Previous row'],
      ['Enter', 'Open the row'],
      ['E', 'Edit the row'],
      ['X', 'Select the row'],
      ['N', 'New record'],
      ['/', 'Filter'],
      ['Ctrl Z', 'Undo the last change made here'],
      ['Alt ↑ ↓', 'In a tree: move up or down'],
      ['Alt → ←', 'In a tree: move under the row above, or back out'],
    ],
  },
  {
    title: 'Forms and dialogs',
    keys: [
      ['Ctrl Enter', 'Save, or confirm the dialog'],
      ['Enter', 'In a dialog: confirm it'],
    ],
  },
  {
    title: 'Review of Z-readings',
    keys: [
      ['Enter', 'Next doubtful field'],
      ['Ctrl Enter', 'Verify and go on'],
      ['Ctrl Shift Enter', 'Leave it for later'],
      ['N', 'New reading, from every view'],
    ],
  },
  {
    title: 'Report builder',
    keys: [
      ['/', 'Type the report'],
      ['Ctrl S', 'Save the report'],
    ],
  },
] as const;

export function Shortcuts({ opened, onClose }: { opened: boolean; onClose(): void }) {
  useReturnFocus(opened);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Keyboard shortcuts"
      size={460}
      classNames={{ title: classes.heading }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {GROUPS.map(({ title, keys }) => (
        <section key={title} className={classes.group}>
          <h3 className={classes.title}>{title}</h3>
          <dl className={classes.list}>
            {keys.map(([key, what]) => (
              <div key={key} className={classes.line}>
                <dt>{what}</dt>
                <dd>
                  <Kbd>{key}</Kbd>
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
