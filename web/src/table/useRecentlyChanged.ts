import { useEffect, useRef, useState } from 'react';
import { recentChanges } from '#/api/live';
import type { GridRow } from './Grid';

const MARKED_MS = 1_600;
const NONE: ReadonlySet<string> = new Set();

/** Keys of rows changed a moment ago by anyone, to highlight them. */
export function useRecentlyChanged<T>(rows: readonly GridRow<T>[]): ReadonlySet<string> {
  const [fresh, setFresh] = useState(NONE);
  const marked = useRef(new Map<string, number>());

  useEffect(() => {
    const news = recentChanges();
    if (news.size === 0) return;
    const found = rows.flatMap(({ key, row }) => {
      const at = news.get(key);
      return row && at !== undefined && marked.current.get(key) !== at ? [{ key, at }] : [];
    });
    if (found.length === 0) return;
    for (const key of marked.current.keys()) if (!news.has(key)) marked.current.delete(key);
    for (const { key, at } of found) marked.current.set(key, at);
    setFresh((now) => new Set([...now, ...found.map(({ key }) => key)]));
  }, [rows]);

  useEffect(() => {
    if (fresh.size === 0) return;
    const timer = setTimeout(() => setFresh(NONE), MARKED_MS);
    return () => clearTimeout(timer);
  }, [fresh]);

  return fresh;
}
