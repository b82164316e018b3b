import { useDebouncedValue } from '@mantine/hooks';
import { type Icon, IconReportSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { request } from '#/api/client';
import { can, type Me, useMe } from '#/api/session';
import { pages, to } from '#/paths';
import { recordPath, recordRight } from '#/records';
import { kindIcon } from '#/ui/kindIcons';
import { matcherOf } from './match';
import { type Answer, answersTo } from './question';
import { type Recent, recentlyOpened } from './searchRecent';
import { type SearchCommand, type SearchTarget, searchTargets } from './searchTargets';

/** Delay before a search is sent: long enough to skip words being typed, too short to notice. */
const WAIT_MS = 80;
const MOST_RECORDS = 40;
const SHOWN = 30;

/** One line of the results. */
export interface Hit {
  key: string;
  kind: string;
  id: string;
  icon: Icon;
  title: string;
  note: string;
  code?: string;
  path?: string;
  command?: SearchCommand;
}

export interface HitGroup {
  title: string | null;
  hits: readonly Hit[];
}

export interface Found {
  groups: readonly HitGroup[];
  /** Whether these results belong to the current input. */
  settled: boolean;
  failed: boolean;
  retry(): void;
}

/** The path of a found record; null without permission. */
function pathOf(me: Me, kind: string, id: string): string | null {
  if (kind === 'user') return can(me, pages.users.can) ? to('users', null, { open: id }) : null;
  return can(me, recordRight(kind)) ? recordPath(kind, id) : null;
}

/** Pages, records and commands that match `q`, best first; `only` limits them to one kind of record. */
export function useSearch(q: string, only: string | null): Found {
  const me = useMe();
  const typed = q.trim();
  const [asked] = useDebouncedValue(typed, WAIT_MS);
  const query = useQuery({
    queryKey: ['search', asked],
    queryFn: ({ signal }) =>
      request('GET', '/api/search', { query: { q: asked, limit: MOST_RECORDS }, signal }),
    enabled: asked !== '',
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    gcTime: 60_000,
  });
  const targets = useMemo(() => searchTargets(me), [me]);
  const { data, isFetching, isError, isPlaceholderData, refetch } = query;

  const groups = useMemo<HitGroup[]>(() => {
    if (typed === '') return before(me, targets, only);
    const records = (data?.items ?? []).flatMap((found) => {
      const path = pathOf(me, found.kind, found.id);
      if (!path || (only && found.kind !== only)) return [];
      const { kind, id, title, subtitle, score } = found;
      const code = found.code ?? undefined;
      const hit = { key: `${kind} ${id}`, kind, id, icon: kindIcon(kind), title, code, path };
      // The code is shown separately.
      const note =
        code && subtitle.endsWith(` · ${code}`) ? subtitle.slice(0, -code.length - 3) : subtitle;
      return [{ score, rank: 2, hit: { ...hit, note } }];
    });
    const match = matcherOf(typed);
    const others = only
      ? []
      : targets.flatMap((target) => {
          const score = match?.(target.words) ?? null;
          return score === null ? [] : [{ score, rank: rankOf(target), hit: hitOf(target) }];
        });
    const all = [...others, ...records].sort((a, b) => b.score - a.score || a.rank - b.rank);
    const best = { title: null, hits: all.slice(0, SHOWN).map(({ hit }) => hit) };
    const answers = !only && data?.question ? answersTo(data.question, me).map(hitOfAnswer) : [];
    return answers.length > 0 ? [{ title: 'Reports', hits: answers }, best] : [best];
  }, [typed, me, targets, only, data]);

  return {
    groups,
    settled: typed === '' || (asked === typed && !(isFetching && (isPlaceholderData || !data))),
    failed: isError && typed !== '',
    retry: () => void refetch(),
  };
}

const rankOf = ({ kind }: SearchTarget) => (kind === 'page' ? 0 : 1);

function hitOf({ key, kind, icon, title, path, command }: SearchTarget): Hit {
  const note = kind === 'page' ? `Page · ${path}` : 'Action';
  return { key, kind, id: path ?? key, icon, title, note, path, command };
}

function hitOfAnswer({ key, title, note, path }: Answer): Hit {
  return { key, kind: 'question', id: path, icon: IconReportSearch, title, note, path };
}

/** What is offered before anything is typed. */
function before(me: Me, targets: readonly SearchTarget[], only: string | null): HitGroup[] {
  const lately = recentlyOpened(me.user.uid)
    .filter(({ kind }) => !only || kind === only)
    .flatMap((one) => hitOfRecent(me, targets, one));
  const groups: HitGroup[] = [{ title: 'Recent', hits: lately }];
  if (!only) {
    const often = targets.filter((target) => target.often).map(hitOf);
    const first = targets.filter(({ kind }) => kind === 'page').slice(0, 5);
    if (lately.length === 0) groups.push({ title: 'Pages', hits: first.map(hitOf) });
    groups.push({ title: 'Actions', hits: often });
  }
  return groups.filter(({ hits }) => hits.length > 0);
}

function hitOfRecent(me: Me, targets: readonly SearchTarget[], one: Recent): Hit[] {
  const { kind, id, title, note } = one;
  if (kind === 'page') {
    const page = targets.find((target) => target.kind === 'page' && target.path === id);
    return page ? [hitOf(page)] : [];
  }
  if (kind === 'question') {
    return [hitOfAnswer({ key: `question ${id}`, title, note, path: id })];
  }
  const path = pathOf(me, kind, id);
  return path ? [{ key: `${kind} ${id}`, kind, id, icon: kindIcon(kind), title, note, path }] : [];
}
