// The help of every page. It is large: load it only when help is opened.
import type { BuiltKey } from '#/paths';
import { forecastHelp } from './forecasts';
import { importHelp } from './imports';
import { kitchenHelp } from './kitchen';
import { listHelp } from './lists';
import { peopleHelp } from './people';
import { reportHelp } from './reports';
import { salesHelp } from './sales';
import { storeHelp } from './stores';
import type { PageHelp } from './types';

export const texts: Readonly<Record<BuiltKey, PageHelp>> = {
  ...salesHelp,
  ...kitchenHelp,
  ...storeHelp,
  ...listHelp,
  ...reportHelp,
  ...importHelp,
  ...forecastHelp,
  ...peopleHelp,
};
