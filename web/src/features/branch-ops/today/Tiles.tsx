import {
  type Icon,
  IconArrowsRightLeft,
  IconCash,
  IconClipboardCheck,
  IconPackageImport,
  IconReceipt2,
  IconShoppingCart,
  IconTrash,
  IconTrendingUp,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { can, type Me, useMe } from '#/api/session';
import { outsideShell, type Permission } from '#/paths';
import { useOpenStore } from '../store';
import classes from './Tiles.module.css';

interface Task {
  name: string;
  text: string;
  icon: Icon;
  /** Requires all of these. */
  needs: readonly (readonly [Permission, string])[];
  /** Null if not built yet. */
  path: string | null;
}

const HOME = outsideShell.branchOps;

const TASKS: readonly Task[] = [
  {
    name: 'Count',
    text: 'Opening and closing',
    icon: IconClipboardCheck,
    needs: [
      ['stores/storeCount', 'view'],
      ['apps/storeCount', 'view'],
    ],
    path: outsideShell.storeCount,
  },
  {
    name: 'Receive',
    text: 'What arrived',
    icon: IconPackageImport,
    needs: [['stores/storeReceive', 'create']],
    path: `${HOME}/receive`,
  },
  {
    name: 'Order',
    text: 'For the next days',
    icon: IconShoppingCart,
    needs: [['stores/storeOrders', 'create']],
    path: `${HOME}/order`,
  },
  {
    name: 'Waste',
    text: 'What was thrown away',
    icon: IconTrash,
    needs: [['stores/storeTransactions', 'create']],
    path: `${HOME}/waste`,
  },
  {
    name: 'Transfer',
    text: 'To another store',
    icon: IconArrowsRightLeft,
    needs: [['stores/storeTransactions', 'create']],
    path: `${HOME}/transfer`,
  },
  {
    name: 'Sales today',
    text: 'So far',
    icon: IconTrendingUp,
    needs: [['apps/branchOps', 'view']],
    path: `${HOME}/sales`,
  },
  {
    name: 'Z-reading photo',
    text: "The till's day",
    icon: IconReceipt2,
    needs: [['sales/zReading', 'create']],
    path: `${HOME}/z-reading`,
  },
  {
    name: 'Cash',
    text: 'What is in the till',
    icon: IconCash,
    needs: [['sales/tenderReport', 'edit']],
    path: `${HOME}/cash`,
  },
];

const permitted = (me: Me, { needs }: Task) =>
  needs.every(([page, action]) => can(me, page, action));

/** The app's actions, each a big target; greyed with a reason if not possible. */
export function Tiles() {
  const me = useMe();
  const { store } = useOpenStore();
  return (
    <nav aria-label="Tasks">
      <ul className={classes.tiles}>
        {TASKS.map((task) => {
          const { name, text, icon: Picture, path } = task;
          const may = permitted(me, task);
          const inside = (
            <>
              <Picture size={26} stroke={1.5} aria-hidden />
              <strong>{name}</strong>
              <span>{text}</span>
            </>
          );
          if (path && may) {
            const query = path === outsideShell.storeCount ? `?store=${store.id}` : '';
            return (
              <li key={name} className={classes.place}>
                <Link to={path + query} className={classes.tile} data-open>
                  {inside}
                </Link>
              </li>
            );
          }
          return (
            <li key={name} className={classes.tile} aria-disabled="true">
              {inside}
              <span className={classes.why}>{path ? 'Not in your role' : 'Not available yet'}</span>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
