import {
  IconArrowsExchange,
  IconChevronRight,
  IconPackageImport,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { Link } from 'react-router';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { day, plural } from '#/ui/format';
import { CloseCard } from '../CloseCard';
import { useComing } from '../coming';
import { useDraftNames } from '../data';
import { OnDevice } from '../OnDevice';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { Coming } from '../types';

/** The store's incoming stock, and what of it this device has received. */
export function ReceiveList() {
  const { store } = useOpenStore();
  const { today, open, here } = useComing(store.id);
  const begun = useDraftNames('receive:');
  const nothing = here.waiting.length + here.refused.length + here.answered.length === 0;
  return (
    <Screen title="Receive">
      <OnDevice {...here} done="Taken in" />
      <CloseCard storeId={store.id} />
      {today.data ? (
        <>
          <AsOf at={today.data.keptAt} />
          {open.length > 0 ? (
            <ul className={screen.list} aria-label="On the way">
              {open.map((coming) => (
                <Expected
                  key={coming.id}
                  coming={coming}
                  begun={begun.includes(`receive:${coming.id}`)}
                />
              ))}
            </ul>
          ) : (
            <EmptyState
              icon={IconPackageImport}
              title={nothing ? 'Nothing is on its way' : 'Nothing else is on its way'}
              text="Deliveries and transfers show here once they have left."
            />
          )}
        </>
      ) : today.error ? (
        <Unreadable error={today.error} retry={() => void today.refetch()} />
      ) : (
        <output className={screen.loading}>Loading…</output>
      )}
    </Screen>
  );
}

function Expected({ coming, begun }: { coming: Coming; begun: boolean }) {
  const Picture = coming.kind === 'transfer' ? IconArrowsExchange : IconTruckDelivery;
  return (
    <li>
      <Link
        to={`${outsideShell.branchOps}/receive/${encodeURIComponent(coming.id)}`}
        className={screen.card}
        data-tone={coming.late ? 'danger' : 'brand'}
      >
        <Picture size={24} stroke={1.6} aria-hidden />
        <span className={screen.words}>
          <strong>{coming.number}</strong>
          <span>
            {coming.kind === 'transfer' ? 'Transfer from ' : ''}
            {coming.sourceName}, {plural(coming.lineCount, 'line')}
          </span>
          <span data-tone={coming.late ? 'danger' : undefined}>
            {coming.late ? 'Late: planned' : 'Planned'} for {day(coming.plannedDate)}
          </span>
          {coming.status === 'partiallyReceived' && <span>Part of it was taken in</span>}
          {begun && <span data-tone="warn">Begun on this device</span>}
        </span>
        <IconChevronRight size={20} stroke={1.6} aria-hidden />
      </Link>
    </li>
  );
}
