import { Button, Menu } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { to } from '#/paths';
import { DOT, day, moment } from '#/ui/format';
import { type Kept, useKept } from './api';
import { daypartLabel } from './question';

/** The last week's large analyses, to reopen. */
export function KeptMenu() {
  const [opened, setOpened] = useState(false);
  const { data } = useKept(true);
  if (!data || data.length === 0) return null;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={330}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />}>
          Kept answers
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {data.map((one) => (
          <Menu.Item key={`${one.askedAt} ${one.from}`} component={Link} to={hrefOf(one)}>
            {day(one.from)} – {day(one.to)}
            <br />
            <small>
              {[
                one.asked.daypart && daypartLabel(one.asked.daypart),
                STATES[one.state],
                moment(one.askedAt),
              ]
                .filter(Boolean)
                .join(DOT)}
            </small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

const STATES: Record<string, string> = {
  working: 'being worked out',
  ready: 'ready',
  failed: 'did not end',
  stopped: 'stopped',
};

function hrefOf({ asked }: Kept): string {
  return to('toolsTransactionInsights', null, {
    from: asked.from,
    to: asked.to,
    stores: asked.storeIds,
    areas: asked.areaIds,
    daypart: asked.daypart,
    against: asked.againstFrom && 'own',
    since: asked.againstFrom,
    until: asked.againstTo,
  });
}
