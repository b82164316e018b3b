import { Button, Select } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { useNameOf } from '#/api/names';
import { useCan, useMe } from '#/api/session';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { NoticeBox } from '#/ui/ErrorBox';
import { count, percent, plural } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { usePhone } from '#/ui/usePhone';
import type { Run } from '../api';
import {
  choosePolicy,
  PLAN,
  type Policy,
  type Result,
  ruleAt,
  type Undo,
  usePlanRules,
} from './api';
import { actualOf, against, isInUse, pesos, policyLabel } from './labels';
import classes from './Replay.module.css';

interface Figure {
  label: string;
  title: string;
  value(policy: Policy, result: Result): string;
  /** Compared with the actual orders. */
  apart(policy: Policy, actual: Policy): string;
}

const FIGURES: readonly Figure[] = [
  {
    label: 'Service level',
    title: 'Of what was asked for, the share that was there, by its cost',
    value: ({ fillRate }) => percent(fillRate),
    apart: (policy, actual) => against(policy.fillRate, actual.fillRate, 'points'),
  },
  {
    label: 'Days out of stock',
    title:
      'Days on which an item was missing, of all days with known sales, all items and stores together',
    value: ({ outDays }, { itemDays }) =>
      itemDays ? `${count(outDays)} of ${count(itemDays)}` : count(outDays),
    apart: (policy, actual) => against(policy.outDays, actual.outDays, 'count'),
  },
  {
    label: 'Average stock',
    title: 'At the end of a day, at cost',
    value: ({ averageStockAmount }) => pesos(averageStockAmount),
    apart: (policy, actual) =>
      against(policy.averageStockAmount, actual.averageStockAmount, 'share'),
  },
  {
    label: 'Waste by expiry',
    title: 'Thrown away at the end of its shelf life, at cost',
    value: ({ wasteAmount }) => pesos(wasteAmount),
    apart: (policy, actual) => against(policy.wasteAmount, actual.wasteAmount, 'share'),
  },
  {
    label: 'Orders',
    title: 'Order lines: one item of one store on one day',
    value: ({ orders }) => count(orders),
    apart: (policy, actual) => against(policy.orders, actual.orders, 'count'),
  },
  {
    label: 'Lost sales, estimated',
    title: 'What was asked for and not there, at cost',
    value: ({ lostAmount }) => pesos(lostAmount),
    apart: (policy, actual) => against(policy.lostAmount, actual.lostAmount, 'share'),
  },
];

interface Props {
  run: Run;
  result: Result;
  /** Whether to show figures, or only the actions of a policy. */
  figures: boolean;
}

/** Each policy's result, with a button to apply it. */
export function PolicyTable({ run, result, figures }: Props) {
  const phone = usePhone();
  const use = useChoice(run, result);
  const actual = actualOf(result);
  const { policies } = result;
  const apart = ({ apart: of }: Figure, policy: Policy) =>
    actual && !policy.actual ? of(policy, actual) : '';
  return (
    <section className={classes.panel} aria-labelledby="policies-title">
      <header className={classes.panelHead}>
        <h2 id="policies-title">{figures ? 'Policies' : 'Use a policy'}</h2>
        {figures && actual && (
          <span className={classes.quiet}>Small figures: against what was really ordered</span>
        )}
        {use.scopes.length > 0 && (
          <div className={`${classes.scope} no-print`}>
            <span aria-hidden>Use for</span>
            <Select
              size="xs"
              aria-label="Use for"
              data={use.scopes.map(({ value, label }) => ({ value, label }))}
              value={use.scope}
              onChange={(value) => value && use.setScope(value)}
              allowDeselect={false}
              searchable={use.scopes.length > 8}
            />
          </div>
        )}
      </header>
      {use.notice}
      {!figures || phone ? (
        <ul className={classes.cards}>
          {policies.map((policy, at) => (
            <li key={policy.name} data-actual={policy.actual || undefined}>
              <div className={classes.cardHead}>
                <div>
                  <strong>{policy.name}</strong>
                  <small>{policyLabel(policy)}</small>
                </div>
                {use.button(policy, at)}
              </div>
              {figures && (
                <dl>
                  {FIGURES.map((figure) => (
                    <div key={figure.label}>
                      <dt>{figure.label}</dt>
                      <dd className="num">
                        {figure.value(policy, result)}
                        <small>{apart(figure, policy)}</small>
                      </dd>
                    </div>
                  ))}
                </dl>
              )}
            </li>
          ))}
        </ul>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Policy</th>
              {FIGURES.map(({ label, title }) => (
                <th key={label} scope="col" title={title}>
                  {label}
                </th>
              ))}
              <th scope="col" className="no-print">
                <span className="sr-only">Use</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {policies.map((policy, at) => (
              <tr key={policy.name} data-actual={policy.actual || undefined}>
                <th scope="row">
                  {policy.name}
                  <small>{policyLabel(policy)}</small>
                </th>
                {FIGURES.map((figure) => (
                  <td key={figure.label}>
                    {figure.value(policy, result)}
                    <small>{apart(figure, policy)}</small>
                  </td>
                ))}
                <td className="no-print">{use.button(policy, at)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

const [ALL, THESE] = ['all', 'these'];

interface Chosen {
  words: string;
  href: string;
  undo: Undo;
}

/** The stores to apply a policy to, the one in use there, and undo. */
function useChoice(run: Run, result: Result) {
  const me = useMe();
  const mayPlan = useCan(PLAN, 'edit');
  const names = useNameOf('stores');
  const rules = usePlanRules(mayPlan).data ?? [];
  const { doing, run: act } = useSave({ shows: 'toast' });
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const everywhere = !me.user.storeIds;
  const played = [...new Set(result.byStore.map(({ storeId }) => storeId))];
  const some = run.asked.storeIds?.length ? played : [];
  const scopes = !mayPlan
    ? []
    : [
        ...(some.length > 1 || (!everywhere && played.length > 1)
          ? [{ value: THESE, label: `The ${played.length} stores of this run`, ids: played }]
          : []),
        ...(everywhere ? [{ value: ALL, label: 'All stores', ids: [null] }] : []),
        ...played.map((id) => ({ value: id, label: names.get(id)?.name ?? '', ids: [id] })),
      ];
  const usual = some.length === 1 ? (some[0] ?? ALL) : some.length > 1 || !everywhere ? THESE : ALL;
  const [picked, setScope] = useState('');
  const at =
    scopes.find(({ value }) => value === picked) ??
    scopes.find(({ value }) => value === usual) ??
    scopes[0];

  async function choose(policy: Policy, index: number): Promise<void> {
    if (!at) return;
    setChosen(null);
    await act(
      async () => {
        const undo = await choosePolicy(run.id, index, at.ids);
        const whom =
          at.value === ALL
            ? 'all stores'
            : at.value === THESE
              ? plural(played.length, 'store')
              : at.label;
        const narrower =
          at.value === ALL
            ? 'Rules of a store, a category or a product still go before it.'
            : 'Rules of a product in a store still go before it.';
        setChosen({
          words: `“${policy.name}” is now the setting for ${whom}: ${policyLabel(policy).replace('Aims at', 'a service level of')}. It holds from the next plan on. ${narrower}`,
          href: to('dashboardDrpNew', null, {
            tab: 'settings',
            store: at.ids.length === 1 ? (at.ids[0] ?? '') : '',
          }),
          undo,
        });
      },
      { as: String(index) },
    );
  }

  const undo = (step: Chosen) =>
    act(() => step.undo(), {
      as: 'undo',
      said: 'The setting is as it was',
      onSaved: () => setChosen(null),
    });

  const notice = chosen && (
    <div className="no-print">
      <NoticeBox>
        {chosen.words}{' '}
        <span className={classes.steps}>
          <Button size="compact-sm" variant="default" onClick={() => void undo(chosen)}>
            Undo
          </Button>
          <Button size="compact-sm" variant="subtle" component={Link} to={chosen.href}>
            Open settings
          </Button>
        </span>
      </NoticeBox>
    </div>
  );

  function button(policy: Policy, index: number) {
    if (!mayPlan || !at || policy.actual) return null;
    if (at.ids.every((id) => isInUse(policy, ruleAt(rules, id)))) {
      return <StatusPill tone="ok">In use</StatusPill>;
    }
    return (
      <Button
        size="xs"
        variant="light"
        loading={doing === String(index)}
        disabled={doing !== null && doing !== String(index)}
        aria-label={`Use this policy: ${policy.name}`}
        onClick={() => void choose(policy, index)}
      >
        Use this policy
      </Button>
    );
  }

  return { scopes, scope: at?.value ?? null, setScope, notice, button };
}
