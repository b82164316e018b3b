import { useMemo } from 'react';
import { useNavigate } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import type { View } from '#/charts/Chart';
import { MARKS } from '#/charts/marks';
import type { PageKey } from '#/paths';
import { type TableState, useTableState } from '#/table/useTableState';
import { type Cell, readCell, writeCell } from '#/ui/cell';
import { today } from '#/ui/dates';
import { usePhone } from '#/ui/usePhone';
import type { Filters } from '../api';
import { type ChosenRange, readRange, USUAL_RANGE } from './ranges';

export type ChartKind = 'graph' | 'heat';

export interface ReportState extends TableState {
  range: ChosenRange;
  /** The default range's name. */
  usual: string;
  filters: Filters;
  view: View;
  phone: boolean;
  chart: ChartKind;
  /** The items chosen for the chart, in order. */
  focus: readonly string[];
  toggleFocus(id: string): void;
  setFocus(ids: readonly string[]): void;
  cell: Cell | null;
  openCell(cell: Cell): void;
  /** Opens an address of a page; absent if the user may not open that page. */
  leadTo(page: PageKey): ((address: string) => void) | undefined;
}

const ids = (text: string) => text.split(',').filter(Boolean);

/** Percent-encoded ids, as they may contain commas; malformed ones are dropped. */
const focusIds = (text: string) =>
  ids(text).flatMap((one) => {
    try {
      return [decodeURIComponent(one)];
    } catch {
      return [];
    }
  });
const focusText = (list: readonly string[]) => list.map(encodeURIComponent).join(',');

/** A report's state, all of it in the address. */
export function useReport(usual: string = USUAL_RANGE): ReportState {
  const state = useTableState();
  const phone = usePhone();
  const me = useMe();
  const navigate = useNavigate();
  const now = today();
  return useMemo(() => {
    const range = readRange(state.get, now, usual);
    const asked = state.get('view');
    const view: View = asked === 'table' || asked === 'chart' ? asked : phone ? 'chart' : 'both';
    const focus = focusIds(state.get('focus'));
    const setFocus = (next: readonly string[]) => state.set({ focus: focusText(next) });
    return {
      ...state,
      range,
      usual,
      filters: {
        from: range.from,
        to: range.to,
        storeIds: ids(state.get('stores')),
        areaIds: ids(state.get('areas')),
      },
      view,
      phone,
      chart: state.get('chart') === 'heat' ? 'heat' : 'graph',
      focus,
      setFocus,
      toggleFocus: (id) =>
        setFocus(
          focus.includes(id)
            ? focus.filter((one) => one !== id)
            : // The marks are limited; the oldest choice is dropped.
              [...focus, id].slice(-MARKS),
        ),
      cell: readCell(state.get('cell')),
      openCell: (cell) => state.set({ cell: writeCell(cell) }, true),
      leadTo: (page) => {
        if (!mayOpen(me, page)) return undefined;
        return (address) => void navigate(address);
      },
    };
  }, [state, phone, me, navigate, now, usual]);
}
