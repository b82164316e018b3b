import { Button } from '@mantine/core';
import { IconRefresh, IconSettings } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { day, moment } from '#/ui/format';
import { Page } from '#/ui/Page';
import { PageTabs } from '#/ui/PageTabs';
import { useMyStores, usePlace } from '#/ui/StoreChoice';
import { done, lastingError } from '#/ui/toast';
import { PAGE, planNow, useStorePlans } from './api';
import { ByDayTab } from './ByDayTab';
import classes from './Drp.module.css';
import { KitchenTab } from './KitchenTab';
import { PlanTab } from './PlanTab';
import { RiskTab } from './RiskTab';
import { SettingsTab } from './SettingsTab';
import { StoresTab } from './StoresTab';

const TABS = [
  { value: 'plan', label: 'Plan' },
  { value: 'risk', label: 'Stock-outs to come' },
  { value: 'days', label: 'By day' },
  { value: 'kitchen', label: 'Kitchen' },
  { value: 'settings', label: 'Settings' },
] as const;

/** The replenishment plan: what every store should order, why, and what the kitchen has to make. */
export default function DrpPage() {
  const state = useTableState();
  const [starting, setStarting] = useState(false);
  const mayPlan = useCan(PAGE, 'edit');
  const planRunId = state.get('plan');
  const stores = useStorePlans(planRunId);
  const tab = TABS.find(({ value }) => value === state.get('tab'))?.value ?? 'plan';
  const storeId = state.get('store');
  const plan = stores.data;
  const { stores: mine } = useMyStores();
  // On the plan a store is chosen or all are listed; the other tabs begin with the first.
  const ofStore = tab === 'risk' || (tab === 'days' && state.get('place') !== 'commissary');
  const place = usePlace(storeId || (ofStore ? (mine[0]?.id ?? '') : ''));

  const hrefOf = (value: string) =>
    to('dashboardDrpNew', null, {
      tab: value === 'plan' ? '' : value,
      store: storeId,
      plan: planRunId,
    });

  async function start(): Promise<void> {
    setStarting(true);
    try {
      await planNow();
      done('The plan is being made');
    } catch (error) {
      lastingError(Problem.of(error).message);
    } finally {
      setStarting(false);
    }
  }

  return (
    <Page
      fill
      title="Replenishment plan"
      place={ofStore || tab === 'plan' ? place : undefined}
      aside={
        plan?.madeAt ? (
          <>
            Plan of {day(plan.date)}
            <span className={classes.made}>, made {moment(plan.madeAt)}</span>
          </>
        ) : (
          plan && 'No plan yet'
        )
      }
      actions={
        mayPlan && (
          <Button
            variant="default"
            loading={starting}
            leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
            onClick={() => void start()}
          >
            Plan now
          </Button>
        )
      }
    >
      <div className="no-print">
        <PageTabs
          label="Replenishment plan"
          current={tab}
          tabs={TABS.map(({ value, label }) => ({
            value,
            to: hrefOf(value),
            label:
              value === 'settings' ? (
                <>
                  <IconSettings size={14} stroke={1.7} aria-hidden /> {label}
                </>
              ) : (
                label
              ),
          }))}
        />
      </div>
      {tab === 'risk' ? (
        <RiskTab state={state} />
      ) : tab === 'days' ? (
        <ByDayTab state={state} />
      ) : tab === 'kitchen' ? (
        <KitchenTab state={state} />
      ) : tab === 'settings' ? (
        <SettingsTab state={state} />
      ) : storeId ? (
        <PlanTab state={state} />
      ) : (
        <StoresTab state={state} query={stores} />
      )}
    </Page>
  );
}
