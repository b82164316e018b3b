import { Button, NativeSelect } from '@mantine/core';
import { type Icon, IconArrowsExchange, IconBuildingOff, IconLogout } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Name, useNames } from '#/api/names';
import { can, useMe } from '#/api/session';
import { outsideShell, type Permission } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { Logo } from '../signed-out/Brand';
import { confirmAndSignOut } from '../signOutFlow';
import { Connection } from './Connection';
import classes from './PhoneShell.module.css';
import { Profile } from './Profile';

export interface PhoneTask {
  name: string;
  text: string;
  icon: Icon;
  can: Permission;
  /** The app to open for it, once that app exists. */
  app?: { path: string; can: Permission };
}

interface Props {
  /** What the app is called. */
  title: string;
  /** The localStorage key of the last chosen store. */
  storeKey: string;
  tasks: readonly PhoneTask[];
}

/** The frame of a phone app: a top bar above the content. */
export function PhoneFrame({ title, children }: { title: string; children: ReactNode }) {
  const me = useMe();
  useEffect(() => {
    document.title = `${title} – ${me.company.appLabel}`;
  }, [title, me.company.appLabel]);

  return (
    <div className={classes.shell}>
      <header className={classes.bar}>
        <Logo size={28} />
        <span className={classes.app}>{title}</span>
        <Connection />
        <Profile />
      </header>
      {children}
    </div>
  );
}

/** The start page of a phone app: the user, their store and the tasks. */
export function PhoneShell({ title, storeKey, tasks }: Props) {
  const me = useMe();
  return (
    <PhoneFrame title={title}>
      <main className={classes.main}>
        <h1 className={classes.hello}>{me.user.name}</h1>
        <p className={classes.role}>{me.user.superAdmin ? 'Super admin' : me.user.roleName}</p>
        <Stores storeKey={storeKey}>
          <ul className={classes.tiles} data-single={tasks.length === 1 || undefined}>
            {tasks.map((work) => (
              <Tile
                key={work.name}
                work={work}
                permitted={can(me, work.can)}
                path={work.app && can(me, work.app.can) ? work.app.path : null}
              />
            ))}
          </ul>
        </Stores>
      </main>
      <Ways />
    </PhoneFrame>
  );
}

function Tile(props: { work: PhoneTask; permitted: boolean; path: string | null }) {
  const { work, permitted, path } = props;
  const { name, text, icon: Picture } = work;
  if (permitted && path) {
    return (
      <li className={classes.place}>
        <Link to={path} className={classes.tile} data-open>
          <Picture size={26} stroke={1.5} aria-hidden />
          <strong>{name}</strong>
          <span>{text}</span>
        </Link>
      </li>
    );
  }
  return (
    <li className={classes.tile} aria-disabled="true">
      <Picture size={26} stroke={1.5} aria-hidden />
      <strong>{name}</strong>
      <span>{text}</span>
      <span className={classes.why}>{permitted ? 'Not available yet' : 'Not in your role'}</span>
    </li>
  );
}

/** The choice of store, among those the user may see. */
function Stores({ storeKey, children }: { storeKey: string; children: ReactNode }) {
  const me = useMe();
  const { data, isPending, error, refetch } = useNames('stores');
  const within = me.user.storeIds ? new Set(me.user.storeIds) : null;
  const stores = (data ?? []).filter(({ id }) => !within || within.has(id));
  const [chosen, setChosen] = useStore(storeKey, stores);

  if (isPending) return <output className={classes.waiting}>Loading…</output>;
  if (error) {
    return (
      <EmptyState
        compact
        icon={IconBuildingOff}
        role="alert"
        title="The stores could not be loaded"
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (stores.length === 0) {
    return (
      <EmptyState
        icon={IconBuildingOff}
        title="You have no store yet"
        text="Ask your administrator to give you a store."
      />
    );
  }
  return (
    <>
      {stores.length === 1 ? (
        <p className={classes.store}>{label(stores[0])}</p>
      ) : (
        <NativeSelect
          label="Store"
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
          data={stores.map((store) => ({ value: store.id, label: label(store) }))}
          classNames={{ root: classes.choose, input: classes.chooseInput }}
        />
      )}
      {children}
    </>
  );
}

function label(store: Name | undefined): string {
  if (!store) return '';
  return store.code && store.code !== store.name ? `${store.name} (${store.code})` : store.name;
}

/** The store chosen last on this device, if the user may still see it. */
function useStore(key: string, stores: readonly Name[]): [string, (id: string) => void] {
  const [chosen, setChosen] = useState(() => {
    try {
      return localStorage.getItem(key) ?? '';
    } catch {
      return '';
    }
  });
  const valid = stores.some(({ id }) => id === chosen) ? chosen : (stores[0]?.id ?? '');
  return [
    valid,
    (id) => {
      setChosen(id);
      try {
        localStorage.setItem(key, id);
      } catch {
        // Not remembered: the choice holds for this visit.
      }
    },
  ];
}

function Ways() {
  const me = useMe();
  const navigate = useNavigate();
  return (
    <footer className={classes.foot}>
      {me.apps.length > 1 && (
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={18} stroke={1.6} aria-hidden />}
          onClick={() => void navigate(outsideShell.home)}
        >
          Switch app
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        onClick={() => void confirmAndSignOut()}
      >
        Sign out
      </Button>
    </footer>
  );
}
