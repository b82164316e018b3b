import { Button } from '@mantine/core';
import { IconCheck, IconHome, IconLayoutGrid, IconMinus, IconRestore } from '@tabler/icons-react';
import { useState } from 'react';
import { Problem } from '#/api/problem';
import { useMe } from '#/api/session';
import { EmptyState } from '#/ui/EmptyState';
import { day } from '#/ui/format';
import { Page } from '#/ui/Page';
import { lastingError } from '#/ui/toast';
import { usePhone } from '#/ui/usePhone';
import { type Arrangement, arrange, type Home, useHome, useVisit } from './api';
import { FirstSteps } from './FirstSteps';
import classes from './Home.module.css';
import { OpeningDays } from './OpeningDays';
import { byUrgency, moved, urgency } from './order';
import { Since } from './Since';
import { TileFrame } from './TileFrame';
import { Inside } from './tiles';

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const weekday = (date: string) => WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()] ?? '';

/** The day at a glance: sales, tasks, changes. */
export default function HomePage() {
  const me = useMe();
  const { data, error, refetch } = useHome();
  const [arranging, setArranging] = useState(false);
  useVisit(Boolean(data));
  const name = me.user.name.split(' ')[0] ?? '';

  return (
    <Page
      title="Home"
      aside={data && `${weekday(data.today)}, ${day(data.today)}`}
      actions={
        data &&
        data.tiles.length > 1 && (
          <Button
            variant={arranging ? 'filled' : 'default'}
            leftSection={
              arranging ? (
                <IconCheck size={16} stroke={1.8} aria-hidden />
              ) : (
                <IconLayoutGrid size={16} stroke={1.7} aria-hidden />
              )
            }
            onClick={() => setArranging(!arranging)}
          >
            {arranging ? 'Done' : 'Arrange'}
          </Button>
        )
      }
    >
      {data && !arranging && <FirstSteps />}
      {data ? (
        data.tiles.length === 0 ? (
          <EmptyState
            icon={IconHome}
            title={`Welcome, ${name}`}
            text="Your role has nothing to show here yet. The menus on the left lead to your pages."
          />
        ) : (
          <Tiles home={data} arranging={arranging} />
        )
      ) : error ? (
        <EmptyState
          role="alert"
          icon={IconHome}
          title="Home cannot be shown"
          text={Problem.of(error).message}
          action={
            <Button variant="default" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      ) : (
        <div className={classes.grid} aria-busy="true">
          {[0, 1, 2, 3, 4, 5].map((at) => (
            <div key={at} className={classes.skeleton} data-wide={at === 0 || undefined} />
          ))}
        </div>
      )}
    </Page>
  );
}

function Tiles({ home, arranging }: { home: Home; arranging: boolean }) {
  const phone = usePhone();
  const [said, setSaid] = useState('');
  const names = home.tiles.map(({ name }) => name);
  const hidden = home.tiles.filter((tile) => tile.hidden).map(({ name }) => name);
  const inOrder = home.tiles.filter((tile) => !tile.hidden);
  const shown = phone && !arranging ? byUrgency(inOrder) : inOrder;
  const quiet = arranging ? [] : shown.filter((tile) => urgency(tile) === 'empty' && !tile.failed);
  const clear = quiet.filter((tile) => !tile.waiting?.empty);
  const empty = quiet.filter((tile) => tile.waiting?.empty);
  const speaking = shown.filter((tile) => !quiet.includes(tile));
  const away = home.tiles.filter((tile) => tile.hidden);

  async function keep(to: Arrangement, words: string): Promise<void> {
    setSaid(words);
    try {
      await arrange(to);
    } catch (error) {
      lastingError(`The order was not saved. ${Problem.of(error).message}`);
    }
  }

  /** The position counts shown tiles only. */
  function move(name: string, to: number): void {
    const visible = inOrder.map((tile) => tile.name);
    const order = moved(visible, name, to);
    const title = home.tiles.find((tile) => tile.name === name)?.title ?? name;
    const place = order.indexOf(name) + 1;
    if (order.join() === visible.join()) return;
    void keep(
      { tiles: [...order, ...hidden], hidden },
      `${title} is now ${place} of ${order.length}`,
    );
  }

  return (
    <>
      {home.since && !arranging && <Since since={home.since} />}
      {!arranging && <OpeningDays />}
      <p className="sr-only" role="status">
        {said}
      </p>
      {arranging && (
        <p className={classes.hint}>
          Drag a tile by its handle, or use the arrows on it. The order is yours, on every device.
          {home.arranged && (
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconRestore size={14} stroke={1.7} aria-hidden />}
              onClick={() => void keep({ tiles: [], hidden: [] }, 'The usual order is back')}
            >
              Usual order
            </Button>
          )}
        </p>
      )}
      <ul className={classes.grid} aria-label="Tiles">
        {speaking.map((tile) => {
          const at = inOrder.indexOf(tile);
          return (
            <TileFrame
              key={tile.name}
              tile={tile}
              arranging={arranging}
              first={at === 0}
              last={at === inOrder.length - 1}
              onMove={(by) => move(tile.name, at + by)}
              onDrop={(name) => move(name, at)}
              onHide={() =>
                void keep(
                  { tiles: names, hidden: [...hidden, tile.name] },
                  `${tile.title} was put away`,
                )
              }
            >
              <Inside tile={tile} />
            </TileFrame>
          );
        })}
      </ul>
      {clear.length > 0 && (
        <section className={classes.quiet} aria-label="All clear">
          <IconCheck size={16} stroke={2} aria-hidden />
          <h2>All clear:</h2>
          <ul>
            {clear.map((tile) => (
              <li key={tile.name}>
                <Inside tile={tile} brief />
              </li>
            ))}
          </ul>
        </section>
      )}
      {empty.length > 0 && (
        <section className={classes.quiet} aria-label="Nothing to check yet">
          <IconMinus size={16} stroke={2} aria-hidden />
          <h2>Nothing to check yet:</h2>
          <ul>
            {empty.map((tile) => (
              <li key={tile.name}>
                <Inside tile={tile} brief />
              </li>
            ))}
          </ul>
        </section>
      )}
      {arranging && away.length > 0 && (
        <section className={classes.away}>
          <h2>Put away</h2>
          {away.map((tile) => (
            <Button
              key={tile.name}
              variant="default"
              size="compact-md"
              onClick={() =>
                void keep(
                  { tiles: names, hidden: hidden.filter((name) => name !== tile.name) },
                  `${tile.title} is shown again`,
                )
              }
            >
              Show {tile.title}
            </Button>
          ))}
        </section>
      )}
    </>
  );
}
