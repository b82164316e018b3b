import { Button, Drawer } from '@mantine/core';
import { IconConfetti } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { DrawerFrame } from '#/ui/DrawerFrame';
import { addDays, monday, today } from '#/ui/dates';
import { percent, plural } from '#/ui/format';
import type { BoughtTogether } from './api';
import classes from './Insights.module.css';
import { meaning, nameOf, sureness, times } from './labels';

/** The meaning of an item set, and what to do with it. */
export function SetDrawer({ set, onClose }: { set: BoughtTogether | null; onClose(): void }) {
  const mayPlan = useCan('tools/services', 'edit');
  return (
    <DrawerFrame
      opened={set !== null}
      title={set ? nameOf(set) : 'Bought together'}
      onClose={onClose}
    >
      {set && (
        <Drawer.Body className={classes.drawer}>
          <p className={classes.meaning}>{meaning(set)}</p>
          <ul>
            <li>
              {plural(set.count, 'ticket')} of the chosen days {set.count === 1 ? 'has' : 'have'}{' '}
              all of them, {percent(set.support, 2)} of all tickets.
            </li>
            {sureness(set).map((words) => (
              <li key={words}>{words}</li>
            ))}
            {set.before && (
              <li>
                In the days compared with: {plural(set.before.count, 'ticket')},{' '}
                {times(set.before.lift)} times as often.
              </li>
            )}
          </ul>
          {mayPlan && (
            <Button
              component={Link}
              to={promotionHref(set)}
              leftSection={<IconConfetti size={17} aria-hidden />}
            >
              Make a promotion
            </Button>
          )}
        </Drawer.Body>
      )}
    </DrawerFrame>
  );
}

/** The planning calendar with a new promotion of these items: next week from Monday. */
export function promotionHref(set: BoughtTogether): string {
  const from = addDays(monday(today()), 7);
  return to('toolsForecastEvents', null, {
    month: from.slice(0, 7),
    open: 'new',
    on: from,
    until: addDays(from, 6),
    name: `${nameOf(set)} together`.slice(0, 100),
  });
}
