// Managers apply or decline counts that were held for breaking a rule.
import { Button, Textarea } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useSave } from '#/form/useSave';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { DOT, moment, plural, qty, shortDay } from '#/ui/format';
import { countApi, KEY } from './api';
import { SESSION_WORD, timeOf } from './clock';
import classes from './HeldDrawer.module.css';
import { countedAndSent, sessionOf } from './types';

export function useHeldCounts(storeId: string, enabled: boolean) {
  return useQuery({
    queryKey: [...KEY, 'held', storeId],
    queryFn: ({ signal }) => countApi.held(storeId, signal),
    enabled,
  });
}

export function HeldDrawer({ storeId, onClose }: { storeId: string; onClose(): void }) {
  const { data, error } = useHeldCounts(storeId, true);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [reason, setReason] = useState('');
  const { doing, problem, run } = useSave();
  const items = data?.items ?? [];
  // Without a selection the buttons apply to all that are shown.
  const ops = items.map(({ op }) => op).filter((op) => chosen.size === 0 || chosen.has(op));

  const decide = (how: 'apply' | 'decline') =>
    run(() => countApi.decide(how, ops, reason.trim()), {
      as: how,
      said: `${plural(ops.length, 'count')} ${how === 'apply' ? 'applied' : 'declined'}`,
      onSaved: () => {
        setChosen(new Set());
        setReason('');
      },
      onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
    });

  return (
    <DrawerFrame opened title="Held counts" size={560} onClose={onClose}>
      <div className={classes.body}>
        {(problem ?? error) && <ErrorBox focus>{Problem.of(problem ?? error).message}</ErrorBox>}
        {data && items.length === 0 && (
          <EmptyState
            icon={IconCircleCheck}
            title="Nothing is held"
            text="Counts made outside the counting hours, or after a count was locked, wait here for approval."
          />
        )}
        <ul className={classes.list}>
          {items.map((held) => (
            <li key={held.op}>
              <label className={classes.line}>
                <input
                  type="checkbox"
                  checked={chosen.has(held.op)}
                  onChange={(event) => {
                    const next = new Set(chosen);
                    if (event.currentTarget.checked) next.add(held.op);
                    else next.delete(held.op);
                    setChosen(next);
                  }}
                />
                <span className={classes.what}>
                  <strong>{held.itemName ?? held.itemId}</strong>
                  <span className={classes.sub}>
                    {SESSION_WORD[sessionOf(held.session)]} of {shortDay(held.date)}
                    {DOT}
                    {countedAndSent(held)}, {moment(held.at)}
                  </span>
                  <span className={classes.why}>{held.reason}</span>
                </span>
                <span className={classes.value}>
                  <strong>
                    {typeof held.qty === 'number' ? qty(held.qty) : 'removed'} {held.uomCode}
                  </strong>
                  <span className={classes.sub}>
                    {held.current
                      ? `current count: ${qty(held.current.qty)} (${held.current.by}, ${timeOf(held.current.at)})`
                      : 'no count yet'}
                  </span>
                </span>
              </label>
            </li>
          ))}
        </ul>
        {data && data.total > items.length && (
          <p className={classes.sub}>
            The oldest {items.length} of {data.total} are shown.
          </p>
        )}
      </div>
      {items.length > 0 && (
        <footer className={classes.foot}>
          <Textarea
            label="Reason"
            autosize
            minRows={1}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <div className={classes.actions}>
            <Button
              variant="default"
              loading={doing === 'decline'}
              disabled={doing !== null}
              onClick={() => void decide('decline')}
            >
              Decline {plural(ops.length, 'count')}
            </Button>
            <Button
              loading={doing === 'apply'}
              disabled={doing !== null}
              onClick={() => void decide('apply')}
            >
              Apply {plural(ops.length, 'count')}
            </Button>
          </div>
        </footer>
      )}
    </DrawerFrame>
  );
}
