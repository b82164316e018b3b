import { Button, Group, Modal, MultiSelect } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useNames } from '#/api/names';
import { useSave } from '#/form/useSave';
import { confirmKeys } from '#/ui/confirmKeys';
import { plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import textClasses from '#/ui/Text.module.css';
import { done } from '#/ui/toast';
import { useReturnFocus } from '#/ui/useReturnFocus';
import { type BulkChange, type Outcome, peopleChanged, type User, usersApi } from '../api';
import { Person } from '../parts/Avatar';
import { RoleSelect } from '../parts/RoleSelect';
import { useOwnRights, useRoles } from '../queries';
import { joinWords } from '../rights';
import classes from './BulkDialog.module.css';

export type BulkKind = 'role' | 'stores' | 'enable' | 'disable';

const KINDS: { value: BulkKind; label: string }[] = [
  { value: 'role', label: 'Role' },
  { value: 'stores', label: 'Stores' },
  { value: 'enable', label: 'Enable' },
  { value: 'disable', label: 'Disable' },
];

interface Props {
  kind: BulkKind;
  users: readonly User[];
  /** Whether the dialog offers a choice of kind. */
  anyKind?: boolean;
  /** Called when something was changed. */
  onDone(): void;
  onClose(): void;
}

/** One change of several users; each succeeds or fails alone, and the result lists them. */
export function BulkDialog({ kind: begun, users, anyKind, onDone, onClose }: Props) {
  useReturnFocus();
  const [kind, setKind] = useState(begun);
  const [roleId, setRoleId] = useState<string | null>(null);
  const [way, setWay] = useState<'add' | 'remove'>('add');
  const [stores, setStores] = useState<string[]>([]);
  const saving = useSave();
  const [outcome, setOutcome] = useState<Outcome[] | null>(null);
  const { data: roles } = useRoles();
  const people = plural(users.length, 'person', 'people');
  const change = changeOf();

  function changeOf(): BulkChange | null {
    if (kind === 'enable') return { status: 'Active' };
    if (kind === 'disable') return { status: 'Disabled' };
    if (kind === 'role') return roleId ? { roleId } : null;
    if (stores.length === 0) return null;
    return way === 'add' ? { addStoreIds: stores } : { removeStoreIds: stores };
  }

  async function run(): Promise<void> {
    if (!change) return;
    await saving.run(async () => {
      const asked = users.map(({ id, revision }) => ({ id, revision }));
      const items = await usersApi.bulk(asked, change);
      const refused = items.filter(({ ok }) => !ok);
      peopleChanged();
      onDone();
      if (refused.length === 0) {
        done(`${people} changed`);
        onClose();
      } else setOutcome(items);
    });
  }

  if (outcome) return <OutcomeList outcome={outcome} users={users} onClose={onClose} />;

  const danger = kind === 'disable';
  const verbs = {
    role: 'Change role',
    stores: way === 'add' ? 'Add stores' : 'Remove stores',
    enable: `Enable ${people}`,
    disable: `Disable ${people}`,
  };
  const titles = {
    role: `Change the role of ${people}`,
    stores: `Change the stores of ${people}`,
    enable: `Enable ${people}?`,
    disable: `Disable ${people}?`,
  };

  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: change && !saving.busy ? () => void run() : null, danger })}
      title={anyKind ? `Change ${people}` : titles[kind]}
      size={520}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div className={classes.body}>
        {anyKind && (
          <Segments<BulkKind> label="Change" value={kind} options={KINDS} onChange={setKind} />
        )}
        {saving.problem && (
          <p role="alert" className={`${textClasses.wrong} ${classes.wrong}`}>
            {saving.problem.message}
          </p>
        )}
        {kind === 'role' && (
          <>
            <RoleSelect value={roleId} onChange={setRoleId} required placeholder="Choose a role" />
            <p className={classes.note}>
              {roleNote(users, roleId, roles?.find(({ id }) => id === roleId)?.name)}
            </p>
          </>
        )}
        {kind === 'stores' && (
          <Stores users={users} way={way} setWay={setWay} stores={stores} setStores={setStores} />
        )}
        {kind === 'disable' && (
          <p className={classes.text}>
            {joinWords(shortened(users.map(({ name }) => name)))}{' '}
            {users.length === 1 ? 'is' : 'are'} signed out everywhere at once and cannot sign in
            until enabled again. Roles and stores stay.
          </p>
        )}
        {kind === 'enable' && (
          <p className={classes.text}>
            {joinWords(shortened(users.map(({ name }) => name)))} can sign in again, with the same
            role and stores as before.
          </p>
        )}
      </div>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus={danger || undefined}>
          {danger ? 'Keep them active' : 'Cancel'}
        </Button>
        <Button
          color={danger ? 'red' : undefined}
          loading={saving.busy}
          disabled={!change}
          onClick={() => void run()}
        >
          {verbs[kind]}
        </Button>
      </Group>
    </Modal>
  );
}

/** The first names, and the number of others. */
function shortened(names: readonly string[]): string[] {
  if (names.length <= 4) return [...names];
  return [...names.slice(0, 3), `${names.length - 3} more`];
}

function roleNote(users: readonly User[], roleId: string | null, name?: string): string {
  if (!roleId) return 'It takes effect at once, also for those who are signed in.';
  const same = users.filter((user) => user.roleId === roleId).length;
  const rest = users.length - same;
  const admins = users.filter(({ superAdmin }) => superAdmin).length;
  return [
    `${plural(rest, 'person', 'people')} ${rest === 1 ? 'gets' : 'get'} ${name ?? 'this role'} at once.`,
    same > 0 && `${same} ${same === 1 ? 'has' : 'have'} it already.`,
    admins > 0 && `${plural(admins, 'super admin')} may do everything whatever the role says.`,
  ]
    .filter(Boolean)
    .join(' ');
}

interface StoresProps {
  users: readonly User[];
  way: 'add' | 'remove';
  setWay(way: 'add' | 'remove'): void;
  stores: string[];
  setStores(ids: string[]): void;
}

function Stores({ users, way, setWay, stores, setStores }: StoresProps) {
  const { data: names = [] } = useNames('stores');
  const own = useOwnRights();
  const unbounded = users.filter(({ storeIds }) => storeIds === null).length;
  return (
    <>
      <Segments
        label="Way"
        value={way}
        options={[
          { value: 'add', label: 'Add stores' },
          { value: 'remove', label: 'Remove stores' },
        ]}
        onChange={setWay}
      />
      <MultiSelect
        label="Stores"
        data={names
          .filter(({ id }) => !own.stores || own.stores.includes(id))
          .map(({ id, name }) => ({ value: id, label: name }))}
        value={stores}
        onChange={setStores}
        searchable
        hidePickedOptions
        clearable
        clearButtonProps={{ 'aria-label': 'Clear stores' }}
        limit={100}
        placeholder={stores.length > 0 ? undefined : 'Choose stores'}
        nothingFoundMessage="Nothing matches"
      />
      {unbounded > 0 && (
        <p className={classes.note}>
          {plural(unbounded, 'person reaches', 'people reach')} all stores{' '}
          {way === 'add'
            ? 'already, and it stays so.'
            : 'without a list to take from, and will be refused: choose in their form which they keep.'}
        </p>
      )}
    </>
  );
}

interface OutcomeProps {
  outcome: readonly Outcome[];
  users: readonly User[];
  onClose(): void;
}

/** The result per user, failures first. */
function OutcomeList({ outcome, users, onClose }: OutcomeProps) {
  const refused = outcome.filter(({ ok }) => !ok);
  const worked = outcome.length - refused.length;
  const ordered = [...refused, ...outcome.filter(({ ok }) => ok)];
  return (
    <Modal
      opened
      onClose={onClose}
      onKeyDown={confirmKeys({ confirm: onClose })}
      title={`${worked} changed, ${refused.length} refused`}
      size={560}
      classNames={{ title: textClasses.dialogTitle }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <ul className={classes.outcome} tabIndex={0} aria-label="Outcome">
        {ordered.map(({ id, ok, problem }) => {
          const user = users.find((one) => one.id === id);
          const Mark = ok ? IconCheck : IconX;
          return (
            <li key={id} data-ok={ok || undefined}>
              <Mark size={17} stroke={2} aria-label={ok ? 'Changed' : 'Refused'} />
              <span className={classes.who}>
                <Person name={user?.name ?? id} email={user?.email} />
              </span>
              {!ok && (
                <span className={classes.why}>
                  {problem?.detail || problem?.title || 'Refused.'}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      <Group justify="flex-end" mt="lg">
        <Button onClick={onClose} data-autofocus>
          Close
        </Button>
      </Group>
    </Modal>
  );
}
