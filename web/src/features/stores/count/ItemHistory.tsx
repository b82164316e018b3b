// All counts of one item in one session, including replaced and declined ones.
import { useQuery } from '@tanstack/react-query';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { moment, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { countApi, isOutOfReach, KEY } from './api';
import classes from './HeldDrawer.module.css';
import { type CountEvent, countedAndSent, type Item, type Scope } from './types';

interface Props {
  scope: Scope;
  item: Item;
  onClose(): void;
}

export function ItemHistory({ scope, item, onClose }: Props) {
  const { data, error } = useQuery({
    queryKey: [...KEY, 'entries', scope.storeId, scope.date, 'history', scope.session, item.id],
    queryFn: ({ signal }) => countApi.history(scope, item.id, signal),
    staleTime: 0,
  });
  return (
    <DrawerFrame opened title={`History of ${item.name}`} onClose={onClose}>
      <div className={classes.body}>
        {error && (
          <p role="alert">
            {isOutOfReach(error)
              ? 'The history needs a connection.'
              : 'The history could not be loaded.'}
          </p>
        )}
        {data?.length === 0 && <p className={classes.sub}>Nothing was counted here yet.</p>}
        <ul className={classes.list}>
          {[...(data ?? [])].reverse().map((event) => (
            <li key={event.op} className={classes.line}>
              <span className={classes.what}>
                <strong>
                  {typeof event.qty === 'number'
                    ? `${qty(event.qty)} ${item.uomCode ?? ''}`
                    : 'removed'}
                </strong>
                <span className={classes.sub}>
                  {countedAndSent(event)}, {moment(event.at)}
                  {event.late && ', late'}
                </span>
                {event.note && <span className={classes.sub}>{event.note}</span>}
                {event.outcome === 'held' && <span className={classes.why}>{event.reason}</span>}
              </span>
              <EventPill event={event} />
            </li>
          ))}
        </ul>
      </div>
    </DrawerFrame>
  );
}

function EventPill({ event }: { event: CountEvent }) {
  if (event.stands) return <StatusPill tone="ok">Current</StatusPill>;
  if (event.outcome === 'held') return <StatusPill tone="warn">Held</StatusPill>;
  if (event.outcome === 'declined') return <StatusPill tone="danger">Declined</StatusPill>;
  return <StatusPill tone="neutral">Replaced</StatusPill>;
}
