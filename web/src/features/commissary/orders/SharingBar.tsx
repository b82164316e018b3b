import { Button, Checkbox } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { count, plural } from '#/ui/format';
import { Segments } from '#/ui/Segments';
import { done } from '#/ui/toast';
import type { Orders } from '../kitchenOrders';
import { approvingText, isWaiting, type Row } from './figures';
import classes from './Sharing.module.css';
import type { Method } from './sharing';
import type { Sharing } from './useSharing';

interface Props {
  sharing: Sharing;
  orders: Orders;
  rows: readonly Row[];
}

/** The sharing method, its result, and writing it into the orders. */
export function SharingBar({ sharing, orders, rows }: Props) {
  const [asking, setAsking] = useState(false);
  const [leaving, setLeaving] = useState(false);
  const { shares } = sharing.typing;
  const { short, less, made } = useMemo(() => {
    const lacking = rows.filter(({ id }) => {
      const product = shares.products.get(id);
      return product !== undefined && product.given < product.wanted;
    });
    return {
      short: lacking.length,
      less: [...shares.cells.values()].filter(({ share, wanted }) => share < wanted).length,
      made: lacking.filter(({ toProduce }) => toProduce > 0).length,
    };
  }, [rows, shares]);
  const approving = approvingText(orders.stores);
  const waiting = orders.stores.flatMap((store) => store.orders).filter(isWaiting).length;
  const { problem } = sharing;
  const stale = problem?.status === 409;
  const label = waiting > 0 ? `Approve ${plural(waiting, 'order')}` : 'Save shares';

  async function approve() {
    const answer = await sharing.approve();
    setAsking(false);
    if (answer) done(`${plural(answer.orders.length, 'order')} updated`);
  }

  return (
    <section className={`${classes.sharing} no-print`} aria-label="Sharing">
      <div className={classes.sharingRow}>
        <Segments<Method>
          label="How it is shared"
          value={sharing.method}
          options={[
            { value: 'proportional', label: 'In proportion' },
            { value: 'equalCover', label: 'Equal cover' },
          ]}
          onChange={sharing.choose}
        />
        <Checkbox
          size="xs"
          className={classes.incoming}
          label="Include batches in progress"
          checked={sharing.withIncoming}
          onChange={(event) => sharing.countIncoming(event.currentTarget.checked)}
        />
        <p className={classes.outcome} role="status">
          {sharing.pending ? (
            'Working out shares…'
          ) : less === 0 ? (
            'There is enough: every store gets what it ordered.'
          ) : (
            <>
              <b>{plural(short, 'product')}</b> {short === 1 ? 'is' : 'are'} short; {count(less)}{' '}
              {less === 1 ? 'share is' : 'shares are'} less than ordered
            </>
          )}
          {sharing.decided > 0 && (
            <span className={classes.byHand}>{sharing.decided} changed by hand</span>
          )}
          {sharing.wrong && <span className={classes.wrong}>Correct the red shares first</span>}
        </p>
        <div className={classes.sharingActions}>
          <Button
            variant="default"
            size="xs"
            onClick={() => (sharing.typing.model.dirty ? setLeaving(true) : sharing.leave())}
          >
            Cancel
          </Button>
          <Button
            size="xs"
            disabled={sharing.pending || sharing.unsure || sharing.wrong}
            onClick={() => setAsking(true)}
          >
            {label}
          </Button>
        </div>
      </div>
      <p className={classes.method}>
        {sharing.method === 'proportional'
          ? 'Each store gets the same part of its order, in whole packs; packs left over go to the largest remainders.'
          : 'Stores with the least stock for their daily use come first, so that stock lasts equally long everywhere.'}
      </p>
      {problem && (
        <div className={classes.refused} role="alert">
          <IconAlertTriangle size={17} aria-hidden />
          <span>
            {stale ? (
              <>
                Someone else saved first: {problem.message.replace(' Reload to continue.', '')}{' '}
                Nothing was written. The table shows the orders as they are now, and what you typed
                is still there. Look it over, then approve again.
              </>
            ) : problem.fields.length > 0 ? (
              <>
                {problem.fields[0]?.message} Change the marked{' '}
                {problem.fields.length === 1 ? 'share' : 'shares'}.
              </>
            ) : (
              problem.message
            )}
          </span>
          {!stale && problem.fields.length === 0 && (
            <Button size="xs" variant="default" onClick={sharing.retry}>
              Try again
            </Button>
          )}
        </div>
      )}
      {!stale && sharing.news && (
        <p className={classes.news} role="status">
          Since you began: {sharing.news}. The shares below are recalculated.
        </p>
      )}
      {leaving && (
        <Dialog
          opened
          title="Discard changed shares?"
          keep="Keep sharing"
          confirm="Discard shares"
          danger
          onConfirm={sharing.leave}
          onClose={() => setLeaving(false)}
        >
          <p>What you changed by hand will be lost. The orders stay as they are.</p>
        </Dialog>
      )}
      {asking && (
        <Dialog
          opened
          title={waiting > 0 ? `Approve ${plural(waiting, 'order')}?` : 'Save these shares?'}
          keep="Keep sharing"
          confirm={label}
          busy={sharing.approving}
          onConfirm={() => void approve()}
          onClose={() => setAsking(false)}
        >
          <p>
            {approving}{' '}
            {less > 0
              ? `${plural(less, 'share is', 'shares are')} less than what is left to send; the rest stays short until it is shared again.`
              : 'Every store gets all that is left to send.'}
          </p>
          {sharing.decided > 0 && (
            <p>{plural(sharing.decided, 'share was', 'shares were')} changed by hand.</p>
          )}
          {made > 0 && (
            <p>
              {plural(made, 'product')} that {made === 1 ? 'is' : 'are'} short can still be made.
              Share again when the batches are done.
            </p>
          )}
        </Dialog>
      )}
    </section>
  );
}
