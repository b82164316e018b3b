import {
  IconAlertTriangle,
  IconCloudCheck,
  IconCloudOff,
  IconCloudUpload,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useUnreachable } from '#/api/reachability';
import { useOnline, useOutbox, useWaiting } from '#/offline/hooks';
import textClasses from '#/ui/Text.module.css';
import classes from './QueueButton.module.css';
import { QueueDrawer } from './QueueDrawer';
import { outbox, questionOf } from './queue';

/** Always visible: how much typed on this device is not at the server yet. */
export function QueueButton() {
  const { waiting, aside } = useWaiting();
  const { unsaved, aside: own } = useOutbox(outbox);
  const questions = own.filter((item) => questionOf(item)).length;
  const online = useOnline();
  const away = useUnreachable() || !online;
  const [open, setOpen] = useState<'never' | 'open' | 'shut'>('never');
  const bad = aside > 0 || unsaved.size > 0;
  const tone = bad ? 'danger' : waiting > 0 || away ? 'warn' : 'ok';
  const Picture = bad
    ? IconAlertTriangle
    : waiting > 0
      ? IconCloudUpload
      : away
        ? IconCloudOff
        : IconCloudCheck;
  const words =
    unsaved.size > 0
      ? 'NOT saved'
      : aside > 0
        ? aside === questions
          ? `${questions} to answer`
          : `${aside} refused`
        : waiting > 0
          ? `${waiting} waiting`
          : away
            ? 'Offline'
            : 'All sent';
  return (
    <>
      <span role="status">
        <button
          type="button"
          className={`${textClasses.toned} ${classes.badge}`}
          data-tone={tone}
          onClick={() => setOpen('open')}
        >
          <Picture size={18} stroke={1.8} aria-hidden />
          <span>{words}</span>
          {aside > 0 && waiting > 0 && <span className={classes.more}>{waiting} waiting</span>}
        </button>
      </span>
      {open !== 'never' && <QueueDrawer opened={open === 'open'} onClose={() => setOpen('shut')} />}
    </>
  );
}
