import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { KITCHEN_ORDERS } from '#/documents/kitchenOrders';
import { productionDef, productionsApi } from '#/documents/productions';
import { to } from '#/paths';
import { DateField } from '#/ui/DateField';
import { Dialog } from '#/ui/Dialog';
import { addDays, today } from '#/ui/dates';
import { plural, qty } from '#/ui/format';
import type { ToMake } from '../kitchenOrders';
import { exact, seen } from './figures';
import classes from './Orders.module.css';
import own from './Outputs.module.css';

interface Props {
  commissaryId: string;
  neededDate: string;
  planned: readonly { item: ToMake; batches: number }[];
  onPlanned(): void;
  onClose(): void;
}

interface Outcome {
  item: ToMake;
  batches: number;
  made: { id: string; number: string } | null;
  problem: string | null;
}

/** Creates a production batch per product; one failure does not affect the others. */
export function PlanDialog({ commissaryId, neededDate, planned, onPlanned, onClose }: Props) {
  const now = today();
  const before = addDays(neededDate, -1);
  const [plannedDate, setPlannedDate] = useState(before < now ? now : before);
  const keys = useRef(new Map<string, string>());
  const [outcomes, setOutcomes] = useState<readonly Outcome[] | null>(null);
  const [at, setAt] = useState(0);
  // The list behind shrinks as batches are created; this one stays as requested.
  const [asked] = useState(planned);
  const list = outcomes
    ? outcomes.filter(({ made }) => !made).map(({ item, batches }) => ({ item, batches }))
    : asked;
  const create = useMutation({
    mutationFn: async () => {
      const done = (outcomes ?? []).filter(({ made }) => made);
      const tried: Outcome[] = [];
      for (const [i, { item, batches }] of list.entries()) {
        setAt(i + 1);
        const name = `${item.recipeId} ${batches} ${plannedDate}`;
        const key = keys.current.get(name) ?? crypto.randomUUID();
        keys.current.set(name, key);
        try {
          const draft = { commissaryId, recipeId: item.recipeId, batches, plannedDate };
          const made = await productionsApi.create(draft, key);
          tried.push({
            item,
            batches,
            made: { id: made.id, number: made.productionNo },
            problem: null,
          });
        } catch (error) {
          const problem = Problem.of(error);
          // A refusal is final; a request that never arrived is retried with the same key.
          if (problem.status !== 0) keys.current.delete(name);
          tried.push({
            item,
            batches,
            made: null,
            problem: problem.fields[0]?.message ?? problem.message,
          });
        }
      }
      return [...done, ...tried];
    },
    onSuccess: (all) => {
      setOutcomes(all);
      onPlanned();
      void queries.invalidateQueries({ queryKey: KITCHEN_ORDERS });
      void queries.invalidateQueries({ queryKey: productionDef.key });
    },
  });
  const failed = outcomes?.filter(({ made }) => !made).length ?? 0;
  const finished = outcomes !== null && failed === 0;
  const total = asked.reduce((sum, { batches }) => sum + batches, 0);

  return (
    <Dialog
      opened
      size={560}
      title={finished ? 'Batches are planned' : `Plan ${plural(total, 'batch', 'batches')}`}
      keep={outcomes ? 'Close' : 'Cancel'}
      confirm={
        finished ? undefined : failed ? `Try ${plural(failed, 'product')} again` : 'Plan batches'
      }
      busy={create.isPending}
      disabled={!plannedDate}
      onConfirm={() => create.mutate()}
      onClose={onClose}
    >
      {!outcomes && (
        <DateField
          label="Make them on"
          mb="sm"
          w={180}
          value={plannedDate}
          onChange={(date) => setPlannedDate(date)}
        />
      )}
      {create.isPending && list.length > 3 && (
        <p role="status">
          {at} of {list.length}…
        </p>
      )}
      <ul className={own.outcomes}>
        {(outcomes ?? asked.map((one) => ({ ...one, made: null, problem: null }))).map(
          ({ item, batches, made, problem }) => (
            <li key={item.productId}>
              <span>{item.name}</span>
              <span className="num">
                {plural(batches, 'batch', 'batches')}, {qty(seen(exact(batches * item.yieldQty)))}{' '}
                {item.uomCode}
              </span>
              {made && (
                <Link className={classes.link} to={to('commissaryBatch', { id: made.id })}>
                  {made.number}
                </Link>
              )}
              {problem && <em role="alert">{problem}</em>}
            </li>
          ),
        )}
      </ul>
    </Dialog>
  );
}
