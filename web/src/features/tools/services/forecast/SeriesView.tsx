import { Button, Skeleton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import type { TableState } from '#/table/useTableState';
import { EmptyState } from '#/ui/EmptyState';
import { type Override, type SeriesAt, useSeries } from '../forecastApi';
import { OverrideDrawer } from '../OverrideDrawer';
import { SeriesPanel } from '../SeriesPanel';
import type { ForecastDef } from './define';
import classes from './Forecast.module.css';
import { aheadOf } from './grain';
import { SeriesChart } from './SeriesChart';
import { SeriesFacts } from './SeriesFacts';

interface Props {
  def: ForecastDef;
  runId: string;
  at: SeriesAt;
  name: string;
  state: TableState;
  /** Absent inside a drawer, which closes itself. */
  onClose?(): void;
}

/** One item of one store: sales, forecast, interval, and why. */
export function SeriesView({ def, runId, at, name, state, onClose }: Props) {
  const { data, error, isPlaceholderData, refetch } = useSeries(def.service, runId, at);
  const mayEdit = useCan('tools/services', 'edit');
  const [entering, setEntering] = useState<Override | 'new' | null>(null);
  const ahead = data && aheadOf(data);

  return (
    <SeriesPanel name={name} busy={isPlaceholderData} onClose={onClose}>
      {error && !data ? (
        <EmptyState
          icon={IconAlertTriangle}
          role="alert"
          compact
          title={
            Problem.of(error).status === 404
              ? 'This run says nothing of it'
              : 'This forecast could not be loaded'
          }
          text={
            Problem.of(error).status === 404
              ? 'The run is too old, or the item was not part of it.'
              : Problem.of(error).message
          }
          action={
            Problem.of(error).status !== 404 && (
              <Button variant="default" onClick={() => void refetch()}>
                Try again
              </Button>
            )
          }
        />
      ) : !data ? (
        <div className={classes.seriesBody}>
          <Skeleton height={300} />
          <Skeleton height={220} />
        </div>
      ) : (
        <div className={classes.seriesBody}>
          <SeriesChart series={data} usual={def.grain} state={state} />
          <SeriesFacts
            series={data}
            onOverride={mayEdit ? () => setEntering('new') : undefined}
            onOpen={setEntering}
          />
        </div>
      )}
      <OverrideDrawer
        record={entering === 'new' ? null : entering}
        opened={entering !== null}
        initial={{
          ...at,
          from: ahead?.from || null,
          to: ahead?.from || null,
        }}
        unit={data?.unit ?? null}
        readOnly={!mayEdit}
        onClose={() => setEntering(null)}
      />
    </SeriesPanel>
  );
}
