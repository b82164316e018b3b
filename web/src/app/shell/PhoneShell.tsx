import { Button, NativeSelect } from '@mantine/core';
import { type Icon, IconArrowsExchange, IconBuildingOff, IconLogout } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { type Name, useNames } from '#/api/names';
import { can, useMe } from '#/api/session';
import { outside, type Permission } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { goOut } from '../goOut';
import { Mark } from '../outside/Brand';
import { Connection } from './Connection';
import classes from './PhoneShell.module.css';
import { Profile } from './Profile';

export interface Work {
  name: string;
  text: string;
  icon: Icon;
  can: Permission;
  /** The app it is done in, where that is there already. */
  app?: { path: string; can: Permission };
}

interface Props {
  /** What the app is called. */
  title: string;
  /** Where the last chosen store is remembered. */
  storeKey: string;
  works: readonly Work[];
}

/** The bar at the top of an app for a phone in one hand. */
export function PhoneFrame({ title, children }: { title: string; children: ReactNode }) {
  const me = useMe();
  useEffect(() => {
    document.title = `${title} – ${me.company.appLabel}`;
  }, [title, me.company.appLabel]);

  return (
    <div className={classes.shell}>
      <header className={classes.bar}>
        <Mark size={28} />
        <span className={classes.app}>{title}</span>
        <Connection />
        <Profile />
      </header>
      {children}
    </div>
  );
}

/** Who is here, which store, and what can be done there. */
export function PhoneShell({ title, storeKey, works }: Props) {
  const me = useMe();
  return (
    <PhoneFrame title={title}>
      <main className={classes.main}>
        <h1 className={classes.hello}>{me.user.name}</h1>
        <p className={classes.role}>{me.user.superAdmin ? 'Super admin' : me.user.roleName}</p>
        <Stores storeKey={storeKey}>
          <ul className={classes.tiles} data-single={works.length === 1 || undefined}>
            {works.map((work) => (
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

function Tile(props: { work: Work; permitted: boolean; path: string | null }) {
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

/** The stores within reach, of which one is worked in. */
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

/** The store chosen last on this device, as long as it is still within reach. */
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
        // Chosen for now, then.
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
          onClick={() => void navigate(outside.home)}
        >
          Switch app
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        onClick={() => void goOut()}
      >
        Sign out
      </Button>
    </footer>
  );
}
