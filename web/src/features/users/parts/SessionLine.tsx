import {
  type Icon,
  IconDeviceLaptop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconTerminal2,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { DOT, moment } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import type { Session } from '../api';
import { type Device, describeDevice, kindLabel, timeAgo } from '../labels';
import classes from './SessionLine.module.css';

const ICONS: Record<Device['form'], Icon> = {
  computer: IconDeviceLaptop,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  program: IconTerminal2,
};

export function DeviceIcon({ form }: Pick<Device, 'form'>) {
  const Picture = ICONS[form];
  return <Picture size={18} stroke={1.6} aria-hidden />;
}

/** One session: its device and when it was last used. */
export function SessionLine({ session, children }: { session: Session; children?: ReactNode }) {
  const { words, form } = describeDevice(session.userAgent);
  return (
    <div className={classes.line}>
      <span className={classes.icon}>
        <DeviceIcon form={form} />
      </span>
      <div className={classes.text}>
        <span className={classes.name} title={session.userAgent}>
          {words}
          {session.current && <StatusPill tone="brand">This one</StatusPill>}
        </span>
        <span className={classes.more}>
          {kindLabel(session.kind)}
          {DOT}
          {session.origin || 'unknown address'}
          {DOT}
          <span title={moment(session.lastSeenAt)}>
            used {timeAgo(session.lastSeenAt).toLowerCase()}
          </span>
        </span>
      </div>
      {children}
    </div>
  );
}
