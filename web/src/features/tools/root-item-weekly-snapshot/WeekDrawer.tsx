import { Button, Drawer, Skeleton } from '@mantine/core';
import { IconAlertTriangle, IconLock, IconLockOpen, IconRefresh } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { Problem } from '#/api/problem';
import { can, useMe } from '#/api/session';
import { spec, to } from '#/paths';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { EmptyState } from '#/ui/EmptyState';
import { count, DOT, day, moment, money, plural, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { PAGE, useDifferences, type Week } from './api';
import { differencesSay, figureWord, grouped, stateOf } from './labels';
import classes from './Snapshots.module.css';

interface Props {
  week: Week | undefined;
  opened: boolean;
  /** Whether no run is in progress. */
  free: boolean;
  may: boolean;
  onMake(week: Week): void;
  onFreeze(week: Week): void;
  onReopen(week: Week): void;
  onClose(): void;
}

/** A week: its state, actions and differences. */
export function WeekDrawer(props: Props) {
  const { week, opened, onClose } = props;
  return (
    <DrawerFrame opened={opened} title={week?.label ?? 'Week'} size={640} onClose={onClose}>
      <Drawer.Body className={classes.drawer}>
        {week ? <Content {...props} week={week} /> : <Skeleton height={160} />}
      </Drawer.Body>
    </DrawerFrame>
  );
}

function Content({ week, free, may, onMake, onFreeze, onReopen }: Props & { week: Week }) {
  const me = useMe();
  const { words, tone } = stateOf(week);
  const report = spec('reportsRootItemWeeklySnapshot');
  const made = week.state !== 'notMade';
  return (
    <>
      <div className={classes.head}>
        <span>
          {day(week.week)} – {day(week.to)}
        </span>
        <StatusPill tone={tone}>{words}</StatusPill>
      </div>
      {!week.over && <p className={classes.note}>It can be made once its Sunday is over.</p>}
      {made && (
        <dl className={classes.facts}>
          <Fact name="Stores">{count(week.stores)}</Fact>
          <Fact name="Root items">{count(week.rows)}</Fact>
          <Fact name="Net variance">{money(week.varianceValue)}</Fact>
          <Fact name="Made">
            {moment(week.madeAt)} <small>{week.madeBy}</small>
          </Fact>
          {week.frozenAt && (
            <Fact name="Frozen">
              {moment(week.frozenAt)} <small>{week.frozenBy}</small>
            </Fact>
          )}
        </dl>
      )}
      <div className={classes.ways}>
        {may && week.over && (
          <Button
            variant={made ? 'default' : 'filled'}
            disabled={!free}
            leftSection={<IconRefresh size={16} stroke={1.7} aria-hidden />}
            onClick={() => onMake(week)}
          >
            {!made ? 'Make' : week.state === 'frozen' ? 'Compare with now' : 'Make again'}
          </Button>
        )}
        {may && week.state === 'open' && (
          <Button
            disabled={!free}
            leftSection={<IconLock size={16} stroke={1.7} aria-hidden />}
            onClick={() => onFreeze(week)}
          >
            Freeze
          </Button>
        )}
        {may && week.state === 'frozen' && (
          // It asks first, so it is never disabled: a run may begin and end while the pointer is down.
          <Button
            variant="default"
            leftSection={<IconLockOpen size={16} stroke={1.7} aria-hidden />}
            onClick={() => onReopen(week)}
          >
            Open again
          </Button>
        )}
        {made && can(me, report.can) && (
          <Button
            variant="subtle"
            component={Link}
            to={to('reportsRootItemWeeklySnapshot', null, { from: week.week, to: week.to })}
          >
            Open the report
          </Button>
        )}
      </div>
      {made && (
        <>
          <h3 className={classes.heading}>Differences</h3>
          <p className={classes.note}>
            {differencesSay(week)}
            {week.comparedAt && ` Last looked at ${moment(week.comparedAt)}.`}
          </p>
          {week.differences > 0 && <Differences week={week} />}
        </>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Differences({ week }: { week: Week }) {
  const [offset, setOffset] = useState(0);
  const { data, error, refetch } = useDifferences(week.week, offset);
  if (error && !data) {
    return (
      <EmptyState
        compact
        icon={IconAlertTriangle}
        role="alert"
        title="The differences could not be loaded"
        text={Problem.of(error).message}
        action={
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        }
      />
    );
  }
  if (!data) return <Skeleton height={120} />;
  const last = Math.min(offset + PAGE, data.total);
  return (
    <>
      <table className={classes.differences} aria-label="Differences">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col">{week.state === 'frozen' ? 'Frozen' : 'Was'}</th>
            <th scope="col">{week.state === 'frozen' ? 'Would be' : 'Now'}</th>
          </tr>
        </thead>
        {grouped(data.items).map(({ key, store, item, unit, figures }) => (
          <tbody key={key}>
            <tr className={classes.group}>
              <th scope="rowgroup" colSpan={3}>
                {item} <small>{[store, unit].filter(Boolean).join(DOT)}</small>
              </th>
            </tr>
            {figures.map(({ figure, was, now }) => (
              <tr key={figure}>
                <th scope="row">{figureWord(figure)}</th>
                <td className="num">{qty(was)}</td>
                <td className="num">{qty(now)}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      {data.total > PAGE && (
        <p className={classes.pages}>
          <Button
            size="compact-sm"
            variant="default"
            disabled={offset === 0}
            onClick={() => setOffset(Math.max(0, offset - PAGE))}
          >
            Before
          </Button>
          <span>
            {count(offset + 1)} – {count(last)} of {plural(data.total, 'figure')}
          </span>
          <Button
            size="compact-sm"
            variant="default"
            disabled={last >= data.total}
            onClick={() => setOffset(offset + PAGE)}
          >
            Next
          </Button>
        </p>
      )}
    </>
  );
}
