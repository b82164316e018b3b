import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { StatePill } from '#/imports/states';
import { to } from '#/paths';
import { DOT, moment } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { importApi, KEY } from '../api';
import { isOpen, stateOf } from '../states';
import type { ImportList } from '../types';
import classes from './Unfinished.module.css';

const LOOKED_AT = 20;
const SHOWN = 3;

/** Unfinished imports, so that no one uploads a file twice. */
export function Unfinished({ lists }: { lists: readonly ImportList[] }) {
  const { data } = useQuery({
    queryKey: [...KEY, 'batches', 'newest'],
    queryFn: ({ signal }) => importApi.batches(1, LOOKED_AT, signal),
  });
  const all = (data?.items ?? []).filter(({ state }) => isOpen(state));
  const open = all.slice(0, SHOWN);
  if (open.length === 0) return null;
  return (
    <Panel title="Not finished yet">
      <ul className={classes.list}>
        {open.map(({ id, list, fileName, state, createdAt, createdBy }) => (
          <li key={id}>
            <Link to={to('toolsImportData', null, { batch: id })} className={classes.item}>
              <strong>{fileName}</strong>
              <StatePill states={stateOf} state={state} />
              <span>
                {[
                  lists.find(({ slug }) => slug === list)?.label,
                  moment(createdAt),
                  createdBy.name,
                ].join(DOT)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {all.length > SHOWN && (
        <Link to={to('toolsImportData', null, { tab: 'history' })}>
          {all.length - SHOWN} more in the history
        </Link>
      )}
    </Panel>
  );
}
