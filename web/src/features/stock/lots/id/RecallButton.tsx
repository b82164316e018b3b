import { Button, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { RECALL, type TracedLot } from '#/stock/api';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { done } from '#/ui/toast';

interface Props {
  lot: TracedLot;
  /** The stores with some of it, in stock or in transit, as far as known. */
  stores: readonly string[];
}

/** Recalls a lot everywhere, or lifts the recall. */
export function RecallButton({ lot, stores }: Props) {
  const may = useCan(...RECALL);
  const [asking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const recalled = Boolean(lot.recalledAt);
  const change = useMutation({
    mutationFn: () => {
      const path = { lot: lot.lot };
      const said = { productId: lot.productId, reason: reason.trim() };
      return recalled
        ? request('POST', '/api/stock/lots/{lot}/release', { path, json: said })
        : request('POST', '/api/stock/lots/{lot}/recall', { path, json: said });
    },
    onSuccess: ({ storeIds }) => {
      done(
        recalled
          ? `Lot ${lot.lot} is released`
          : `Lot ${lot.lot} is recalled; ${plural(storeIds.length, 'store')} notified`,
      );
      setAsking(false);
      setReason('');
      void queries.invalidateQueries({ queryKey: ['stock'] });
    },
  });
  if (!may) return null;
  const close = () => {
    setAsking(false);
    change.reset();
  };
  const verb = recalled ? 'Release' : 'Recall';
  return (
    <>
      <Button
        variant={recalled ? 'default' : 'outline'}
        color={recalled ? undefined : 'red'}
        onClick={() => setAsking(true)}
      >
        {verb} lot
      </Button>
      {asking && (
        <Dialog
          opened
          danger={!recalled}
          title={`${verb} lot ${lot.lot} of ${lot.name}`}
          keep={recalled ? 'Keep it recalled' : 'Keep lot in use'}
          confirm={`${verb} lot`}
          busy={change.isPending}
          disabled={reason.trim() === ''}
          onConfirm={() => change.mutate()}
          onClose={close}
        >
          {change.error && <ErrorBox focus>{Problem.of(change.error).message}</ErrorBox>}
          <p>
            {recalled ? 'It can be sent again, and stores no longer see a notice.' : told(stores)}
          </p>
          <Textarea
            label="Reason"
            description={recalled ? 'Kept in the history.' : 'Stores read this beside the lot.'}
            required
            autosize
            minRows={2}
            maxLength={2000}
            value={reason}
            data-autofocus
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        </Dialog>
      )}
    </>
  );
}

const NAMED = 4;

function told(stores: readonly string[]): string {
  const sent = 'It can no longer be sent from anywhere.';
  if (stores.length === 0) return `${sent} No store has it.`;
  const names = stores.slice(0, NAMED).join(', ');
  const rest = stores.length > NAMED ? ` and ${stores.length - NAMED} more` : '';
  return `${sent} ${plural(stores.length, 'store')} that may have it, ${names}${rest}, ${stores.length === 1 ? 'is' : 'are'} told to take it off the shelf and write it off.`;
}
