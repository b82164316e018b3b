import { Button, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { DrawerForm } from '#/form/DrawerForm';
import { LeaveGuard } from '#/form/LeaveGuard';
import { useSave } from '#/form/useSave';
import { fold } from '#/table/filter';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { DrawerLoading } from '#/ui/DrawerLoading';
import { MISSING, moment } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import textClasses from '#/ui/Text.module.css';
import { type Application, applicationsApi, peopleChanged } from '../api';
import { firstName } from '../labels';
import { Avatar } from '../parts/Avatar';
import { RoleSelect } from '../parts/RoleSelect';
import { StoresField } from '../parts/StoresField';
import { useOwnRights } from '../queries';
import { ALL, decodeStores, encodeStores } from '../stores';
import { APPLICATIONS, tabPath } from '../UsersFrame';
import classes from './ApplicationDrawer.module.css';
import { STATES } from './ApplicationsTab';

interface Props {
  open: string;
  known: Application | undefined;
  rejecting: boolean;
  onClose(): void;
}

/** Shows an application, and approves or rejects it. */
export function ApplicationDrawer({ open, known, rejecting, onClose }: Props) {
  const one = useQuery({
    queryKey: ['people', 'applications', 'one', open],
    queryFn: ({ signal }) => applicationsApi.find(open, signal),
    enabled: Boolean(open) && !known,
  });
  const application = known ?? one.data;
  return (
    <DrawerFrame
      opened={Boolean(open)}
      title={application ? `Application of ${application.name}` : 'Application'}
      size={560}
      onClose={onClose}
    >
      {application ? (
        <Decision
          key={application.id}
          application={application}
          rejecting={rejecting}
          onClose={onClose}
        />
      ) : (
        <DrawerLoading
          title="This application could not be opened"
          failed={
            one.error
              ? Problem.of(one.error).message
              : one.data === null
                ? 'There is no such application.'
                : null
          }
          onClose={onClose}
        />
      )}
    </DrawerFrame>
  );
}

interface DecisionProps {
  application: Application;
  rejecting: boolean;
  onClose(): void;
}

function Decision({ application, rejecting: begun, onClose }: DecisionProps) {
  const mayApprove = useCan(APPLICATIONS, 'approve');
  const own = useOwnRights();
  const { data: names } = useNames('stores');
  const decided = useRef(false);
  const [rejecting, setRejecting] = useState(begun);
  const [roleId, setRoleId] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const saving = useSave();
  const { busy, problem } = saving;
  const [roleError, setRoleError] = useState<string>();
  const [storesError, setStoresError] = useState<string>();
  const first = firstName(application.name);
  const open = application.state === 'pending' && mayApprove;

  // The default is the store named in the application, if it exists.
  const guess = names?.find(({ name, code }) =>
    [name, code].some((text) => text && fold(text) === fold(application.store.trim())),
  );
  const inReach = guess && (!own.stores || own.stores.includes(guess.id));
  const stores = chosen ?? encodeStores(inReach ? [guess.id] : []);
  const dirty = open && (roleId !== null || chosen !== null || note !== '');

  const decide = (work: () => Promise<unknown>, said: string) =>
    void saving.run(work, {
      said,
      onSaved: () => {
        decided.current = true;
        onClose();
      },
      refused: ({ fields }) => {
        setRoleError(fields.find(({ field }) => field === 'roleId')?.message);
        setStoresError(fields.find(({ field }) => field === 'storeIds')?.message);
      },
      onSettled: peopleChanged,
    });

  function submit(): void {
    if (busy || !open) return;
    const { id, revision } = application;
    if (rejecting) {
      decide(
        () => applicationsApi.reject(id, { note: note.trim(), revision }),
        `${application.name} rejected`,
      );
      return;
    }
    if (!roleId) {
      setRoleError('Choose a role.');
      document.querySelector<HTMLElement>('[data-path="roleId"]')?.focus();
      return;
    }
    decide(
      () => applicationsApi.approve(id, { roleId, storeIds: decodeStores(stores), revision }),
      `${application.name} approved`,
    );
  }

  return (
    <DrawerForm
      shortcut={open}
      shortcutShown={open}
      onSubmit={submit}
      danger={
        open &&
        !rejecting && (
          <Button variant="subtle" color="red" onClick={() => setRejecting(true)}>
            Reject…
          </Button>
        )
      }
      buttons={
        open && rejecting ? (
          <>
            <Button variant="default" onClick={() => setRejecting(false)}>
              Back
            </Button>
            <Button type="submit" color="red" loading={busy}>
              Reject application
            </Button>
          </>
        ) : (
          <>
            <Button variant="default" onClick={onClose}>
              {open ? 'Cancel' : 'Close'}
            </Button>
            {open && (
              <Button type="submit" loading={busy}>
                Approve and send link
              </Button>
            )}
          </>
        )
      }
      dialogs={<LeaveGuard dirty={dirty} what="this application" saved={decided} />}
    >
      <div className={classes.head}>
        <Avatar name={application.name} email={application.email} large />
        <div>
          <a className={classes.email} href={`mailto:${application.email}`}>
            {application.email}
          </a>
          <p className={classes.line}>
            <StatusPill tone={STATES[application.state].tone}>
              {STATES[application.state].label}
            </StatusPill>
            Applied {moment(application.createdAt)}
          </p>
        </div>
      </div>
      {problem && (
        <p role="alert" className={`${textClasses.wrong} ${classes.wrong}`}>
          {problem.message}
        </p>
      )}
      <dl className={classes.facts}>
        <Fact name="Position">{application.position}</Fact>
        <Fact name="Store">{application.store}</Fact>
        <Fact name="Mobile">
          {application.mobile && <a href={`tel:${application.mobile}`}>{application.mobile}</a>}
        </Fact>
        <Fact name="Reason" wide>
          {application.reason}
        </Fact>
        {application.decidedAt && (
          <Fact name={STATES[application.state].label} wide>
            {moment(application.decidedAt)}
            {application.decidedBy?.name && ` by ${application.decidedBy.name}`}
            {application.note && <span className={classes.noteText}>{application.note}</span>}
          </Fact>
        )}
        {application.userId && (
          <Fact name="User" wide>
            <Link to={tabPath('users', { open: application.userId, status: 'all' })}>
              {application.name}
            </Link>
          </Fact>
        )}
      </dl>
      {open &&
        (rejecting ? (
          <section className={classes.group}>
            <Textarea
              label="Reason"
              description={`Kept here for the record, and sent to ${first} in the email.`}
              autosize
              minRows={3}
              maxRows={8}
              data-autofocus
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          </section>
        ) : (
          <>
            <section className={classes.group}>
              <RoleSelect
                value={roleId}
                required
                placeholder="Choose a role"
                error={roleError}
                onChange={(value) => {
                  setRoleId(value);
                  setRoleError(undefined);
                }}
              />
            </section>
            <section className={classes.group}>
              <StoresField
                value={stores || ALL}
                error={storesError}
                onChange={(value) => {
                  setChosen(value);
                  setStoresError(undefined);
                }}
              />
              {chosen === null && inReach && (
                <p className={classes.hint}>{guess.name} is the store named in the application.</p>
              )}
            </section>
          </>
        ))}
      {application.state === 'pending' && !mayApprove && (
        <p className={classes.hint}>You may look at applications but not decide on them.</p>
      )}
    </DrawerForm>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{name}</dt>
      <dd>{children || MISSING}</dd>
    </div>
  );
}
