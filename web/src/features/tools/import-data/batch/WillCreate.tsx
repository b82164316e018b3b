import { recordKinds } from '#/records';
import { NoticeBox } from '#/ui/ErrorBox';
import { count } from '#/ui/format';
import { kindOf } from '../labels';
import type { Summary } from '../types';

const NAMED = 6;

/** Records of other lists that the import creates because rows refer to them. */
export function WillCreate({ lists }: { lists: Summary['willCreate'] }) {
  if (lists.length === 0) return null;
  return (
    <NoticeBox>
      {lists.map(({ list, names }) => (
        <span key={list}>
          New {recordKinds[kindOf(list)]?.one ?? list}: {names.slice(0, NAMED).join(', ')}
          {names.length > NAMED && ` and ${count(names.length - NAMED)} more`}.{' '}
        </span>
      ))}
    </NoticeBox>
  );
}
