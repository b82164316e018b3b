import { Button, Skeleton } from '@mantine/core';
import {
  IconAlertTriangle,
  IconApi,
  IconCalendarEvent,
  IconPencil,
  IconPhotoScan,
  IconPlug,
  IconPlugConnected,
  IconTargetArrow,
  IconTextScan2,
} from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { can, useMe } from '#/api/session';
import { type PageKey, pages, spec } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { plural } from '#/ui/format';
import { isTyping } from '#/ui/keys';
import { Page } from '#/ui/Page';
import { type Card, isOpen, useServices } from './api';
import { HistoryDrawer } from './HistoryDrawer';
import { type Group, groupOf } from './labels';
import { ScheduleDialog } from './ScheduleDialog';
import { ServiceCard } from './ServiceCard';
import classes from './Services.module.css';

const GROUPS: readonly Group[] = ['Forecasts', 'Plan', 'Data'];

const BESIDE: readonly { page: PageKey; label: string; icon: typeof IconPencil }[] = [
  { page: 'toolsForecastAccuracy', label: 'Accuracy', icon: IconTargetArrow },
  { page: 'toolsForecastEvents', label: 'Events', icon: IconCalendarEvent },
  { page: 'toolsForecastOverrides', label: 'Overrides', icon: IconPencil },
  { page: 'toolsZReadingOcr', label: 'Z-reading OCR', icon: IconPhotoScan },
  { page: 'toolsOcr', label: 'OCR', icon: IconTextScan2 },
  { page: 'toolsGetSalesApi', label: 'Get sales by API', icon: IconPlug },
  { page: 'toolsW3pIngest', label: 'W3P ingest', icon: IconPlugConnected },
  { page: 'toolsTestApi', label: 'Test API', icon: IconApi },
];

/** Long-running work, scheduled or on demand, one card per service. */
export default function ServicesPage() {
  const me = useMe();
  const state = useTableState();
  const query = useServices();
  const [scheduling, setScheduling] = useState<string | null>(null);
  const cards = query.data?.items;
  const running = cards?.filter(({ lastRun }) => isOpen(lastRun)).length ?? 0;
  const named = (service: string | null): Card | undefined =>
    cards?.find((card) => card.service === service);
  const scheduled = named(scheduling);

  return (
    <Page
      title="Services"
      aside={
        cards && `${plural(cards.length, 'service')}${running > 0 ? `, ${running} running` : ''}`
      }
      actions={BESIDE.filter(({ page }) => can(me, spec(page).can)).map(
        ({ page, label, icon: Icon }) => (
          <Button
            key={page}
            component={Link}
            to={pages[page].path}
            variant="default"
            leftSection={<Icon size={16} stroke={1.7} aria-hidden />}
          >
            {label}
          </Button>
        ),
      )}
    >
      {query.error && !cards ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          title="The services could not be loaded"
          text={Problem.of(query.error).message}
          action={
            <Button variant="default" onClick={() => void query.refetch()}>
              Try again
            </Button>
          }
        />
      ) : !cards ? (
        <div className={classes.cards} aria-busy>
          {[1, 2, 3, 4, 5, 6].map((n) => (
            <Skeleton key={n} height={214} radius="md" />
          ))}
        </div>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys move between the links inside it
        <div onKeyDown={walkCards}>
          {GROUPS.map((group) => {
            const inGroup = cards.filter(({ service }) => groupOf(service) === group);
            if (inGroup.length === 0) return null;
            return (
              <section key={group} aria-labelledby={`group-${group}`}>
                <h2 className={classes.group} id={`group-${group}`}>
                  {group}
                </h2>
                <ul className={classes.cards}>
                  {inGroup.map((card) => (
                    <li key={card.service}>
                      <ServiceCard
                        card={card}
                        onSchedule={() => setScheduling(card.service)}
                        onHistory={() => state.set({ history: card.service }, true)}
                      />
                    </li>
                  ))}
                </ul>
              </section>
            );
          })}
        </div>
      )}
      {scheduled && <ScheduleDialog card={scheduled} onClose={() => setScheduling(null)} />}
      <HistoryDrawer
        card={named(state.get('history'))}
        onClose={() => state.set({ history: null })}
      />
    </Page>
  );
}

const STEPS: Readonly<Record<string, number>> = {
  j: 1,
  ArrowDown: 1,
  ArrowRight: 1,
  k: -1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/** Arrows and j/k move between services; Enter opens one. */
function walkCards(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (!step || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.nativeEvent))
    return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a[data-service]')];
  const card = (event.target as HTMLElement).closest('article');
  const at = links.findIndex((link) => card?.contains(link));
  const next = links[at + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
