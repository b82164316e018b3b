import { Button } from '@mantine/core';
import { IconBuildingOff, IconLock } from '@tabler/icons-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { useCan, useMe } from '#/api/session';
import { keepForStore } from '#/features/branch-ops/background';
import { CashEntry } from '#/features/branch-ops/cash/CashEntry';
import { useStores, useToday } from '#/features/branch-ops/data';
import { LAST_STORE } from '#/features/branch-ops/keys';
import { OrderEntry } from '#/features/branch-ops/order/OrderEntry';
import { OrderList } from '#/features/branch-ops/order/OrderList';
import { OrderOne } from '#/features/branch-ops/order/OrderOne';
import { QueueButton } from '#/features/branch-ops/QueueButton';
import { ReceiveList } from '#/features/branch-ops/receive/ReceiveList';
import { ReceiveOne } from '#/features/branch-ops/receive/ReceiveOne';
import { Screen } from '#/features/branch-ops/Screen';
import { Sales } from '#/features/branch-ops/sales/Sales';
import { StoreContext } from '#/features/branch-ops/store';
import { Today } from '#/features/branch-ops/today/Today';
import { TransferEntry } from '#/features/branch-ops/transfer/TransferEntry';
import { WasteEntry } from '#/features/branch-ops/waste/WasteEntry';
import { ZReadingPhoto } from '#/features/branch-ops/z-reading/ZReadingPhoto';
import { requestPersistence } from '#/offline/device';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import textClasses from '#/ui/Text.module.css';
import { PhoneExits, PhoneFrame } from '../shell/PhoneShell';
import classes from './BranchOps.module.css';

const KEEP_AFTER_MS = 1_500;

/** The app for one store's staff: today's tasks and the work of a shift, online and offline. */
export default function BranchOps() {
  useEffect(() => void requestPersistence(), []);
  return (
    <PhoneFrame title="Branch operations" aside={<QueueButton />}>
      <Routes>
        <Route
          element={
            <OfStore>
              <Outlet />
            </OfStore>
          }
        >
          <Route
            index
            element={
              <>
                <Today />
                <PhoneExits />
              </>
            }
          />
          <Route path="receive" element={can('stores/storeReceive', <ReceiveList />)} />
          <Route path="receive/:id" element={can('stores/storeReceive', <ReceiveOne />)} />
          <Route path="order" element={can('stores/storeOrders', <OrderList />)} />
          <Route path="order/one/:id" element={can('stores/storeOrders', <OrderOne />)} />
          <Route path="order/:source" element={can('stores/storeOrders', <OrderEntry />)} />
          <Route path="waste" element={can('stores/storeTransactions', <WasteEntry />)} />
          <Route path="transfer" element={can('stores/storeTransactions', <TransferEntry />)} />
          <Route path="z-reading" element={can('sales/zReading', <ZReadingPhoto />)} />
          <Route path="cash" element={can('sales/tenderReport', <CashEntry />, 'edit')} />
          <Route path="sales" element={<Sales />} />
        </Route>
        <Route path="*" element={<Navigate to={outsideShell.branchOps} replace />} />
      </Routes>
    </PhoneFrame>
  );
}

/** A screen for users who may create its document. */
function can(permission: string, screen: ReactNode, action = 'create') {
  return (
    <May permission={permission} action={action}>
      {screen}
    </May>
  );
}

function May(props: { permission: string; action: string; children: ReactNode }) {
  const { permission, action, children } = props;
  const may = useCan(permission, action);
  if (may) return children;
  return (
    <Screen title="Not in your role">
      <EmptyState
        role="alert"
        icon={IconLock}
        title="You don’t have access to this"
        text="Ask your administrator if you need it."
      />
    </Screen>
  );
}

function remembered(): string {
  try {
    return localStorage.getItem(LAST_STORE) ?? '';
  } catch {
    return '';
  }
}

function remember(storeId: string): void {
  try {
    localStorage.setItem(LAST_STORE, storeId);
  } catch {
    // Not remembered: the choice lasts for this visit.
  }
}

/** Opens the store chosen last on this device, if the user may still see it. */
function OfStore({ children }: { children: ReactNode }) {
  const { own, isPending, error, refetch } = useStores();
  const [chosen, setChosen] = useState(remembered);
  const store = own.find(({ id }) => id === chosen) ?? own[0];
  const { user } = useMe();
  const { uid } = user;
  const storeId = store?.id;
  const expected = useToday(storeId ?? '').data?.expected;
  const onTheWay = expected?.map(({ id, status }) => `${id} ${status}`).join();
  // Offline data for this store is fetched once its first screen has rendered, and again when more is on its way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!storeId) return;
    remember(storeId);
    const timer = setTimeout(() => void keepForStore(uid, storeId).catch(() => {}), KEEP_AFTER_MS);
    return () => clearTimeout(timer);
  }, [uid, storeId, onTheWay]);
  const open = useMemo(
    () =>
      store && {
        store,
        stores: own,
        choose: setChosen,
      },
    [store, own],
  );

  if (open) return <StoreContext value={open}>{children}</StoreContext>;
  if (isPending) return <output className={classes.loading}>Loading…</output>;
  return (
    <>
      <main className={classes.main}>
        <h1 className={textClasses.heading}>{user.name}</h1>
        {error ? (
          <EmptyState
            icon={IconBuildingOff}
            role="alert"
            title="The stores could not be loaded"
            text="Open the app once with a connection; after that it also works without one."
            action={
              <Button size="md" variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={IconBuildingOff}
            title="You have no store yet"
            text="Ask your administrator to give you a store."
          />
        )}
      </main>
      <PhoneExits />
    </>
  );
}
