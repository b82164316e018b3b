import { Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconArrowsExchange,
  IconChevronRight,
  IconCircleCheck,
  IconCloudUpload,
  IconPackageImport,
  IconTruckDelivery,
} from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { outsideShell } from '#/paths';
import { EmptyState } from '#/ui/EmptyState';
import { day, moment, plural } from '#/ui/format';
import { useDraftNames } from '../data';
import { goOnWith } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { AsOf, Unreadable } from '../StateOf';
import { useOpenStore } from '../store';
import type { Coming } from '../types';
import { useComing } from './coming';

/** What is on its way to the store, and what of it was taken in on this device. */
export function ReceiveList() {
  const { store } = useOpenStore();
  const { today, open, waiting, refused, answered } = useComing(store.id);
  const begun = useDraftNames('receive:');
  const navigate = useNavigate();
  const nothing = waiting.length + refused.length + answered.length === 0;
  return (
    <Screen title="Receive">
      {refused.length > 0 && (
        <ul className={screen.list}>
          {refused.map((item) => (
            <li key={item.id} className={screen.card} data-tone="danger">
              <IconAlertTriangle size={24} stroke={1.6} aria-hidden />
              <span className={screen.words}>
                <strong>{item.record?.title} was refused</strong>
                <span data-tone="danger">{item.reason}</span>
                <Button
                  size="md"
                  mt={8}
                  h={44}
                  onClick={() => {
                    if (item.record) void goOnWith(item.id, item.record).then(navigate);
                  }}
                >
                  Change it
                </Button>
              </span>
            </li>
          ))}
        </ul>
      )}
      {(waiting.length > 0 || answered.length > 0) && (
        <ul className={screen.list} aria-label="Taken in on this device">
          {waiting.map(({ op, title, at }) => (
            <li key={op} className={screen.card} data-tone="warn">
              <IconCloudUpload size={24} stroke={1.6} aria-hidden />
              <span className={screen.words}>
                <strong>{title}</strong>
                <span>Saved on this device, {moment(at).split(', ')[1]}. Waiting to be sent.</span>
              </span>
            </li>
          ))}
          {answered.map(({ record, number }) => (
            <li key={record.op} className={screen.card} data-tone="ok">
              <IconCircleCheck size={24} stroke={1.6} aria-hidden />
              <span className={screen.words}>
                <strong>{record.title}</strong>
                <span>
                  {record.step ? 'Taken in' : 'Saved as a draft, not posted yet'}: {number}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
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
