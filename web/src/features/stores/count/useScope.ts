import { useMemo, useState } from 'react';
import { isDay } from '#/ui/dates';
import { DEFAULTS, dueCount } from './clock';
import type { Scope, Session } from './types';
import { useCountModel } from './useCount';

interface Asked {
  storeId: string;
  date: string | null;
  session: string | null;
  now: Date;
}

/** The count to show: the one that is asked for, else the one that is due; its model and its settings. */
export function useScope({ storeId, date, session, now }: Asked) {
  // The due count is decided when the screen opens: it must not change while a user types.
  const [opened] = useState(now);
  const [settingsSeen, setSettingsSeen] = useState(DEFAULTS);
  const suggested = dueCount(settingsSeen, opened);
  const chosen: Session | null =
    session === 'day' ? '' : session === 'opening' || session === 'closing' ? session : null;
  const which = {
    date: isDay(date) ? date : suggested.date,
    session: chosen ?? suggested.session,
  };
  const scope: Scope = useMemo(
    () => ({ storeId, date: which.date, session: which.session }),
    [storeId, which.date, which.session],
  );
  const { book, warm } = useCountModel(scope);
  const given = warm.data?.settings;
  const settings = useMemo(() => ({ ...DEFAULTS, ...given }), [given]);
  if (settings !== settingsSeen) setSettingsSeen(settings);
  return { scope, book, warm, settings };
}
