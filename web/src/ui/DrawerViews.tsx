import { Drawer } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useSearchParams } from 'react-router';
import classes from './DrawerViews.module.css';

interface View<V extends string> {
  value: V;
  label: string;
}

/** The open view of a drawer, kept in the address; the first one needs no parameter. */
export function useDrawerView<V extends string>(
  views: readonly [View<V>, ...View<V>[]],
): [V, (next: V) => void] {
  const [search, setSearch] = useSearchParams();
  const [first] = views;
  const view = (views.find(({ value }) => value === search.get('view')) ?? first).value;
  const setView = (next: V) =>
    setSearch(
      (now) => {
        const params = new URLSearchParams(now);
        if (next === first.value) params.delete('view');
        else params.set('view', next);
        return params;
      },
      { replace: true, preventScrollReset: true },
    );
  return [view, setView];
}

interface Props<V extends string> {
  /** «About this supplier», for screen readers. */
  label: string;
  views: readonly View<V>[];
  view: V;
  /** A number beside the label of a view. */
  badge?(view: V): string | null;
  compact?: boolean;
  onView(next: V): void;
}

/** The tabs inside a drawer. */
export function DrawerViews<V extends string>(props: Props<V>) {
  const { label, views, view, badge, compact, onView } = props;
  return (
    <nav className={classes.views} data-compact={compact || undefined} aria-label={label}>
      {views.map(({ value, label: name }) => {
        const number = badge?.(value);
        return (
          <button
            key={value}
            type="button"
            className={classes.view}
            aria-current={value === view ? 'page' : undefined}
            onClick={() => onView(value)}
          >
            {name}
            {number && <span className="num">{number}</span>}
          </button>
        );
      })}
    </nav>
  );
}

/** A view that stays mounted while hidden, so that its input is kept when the user looks at another one. */
export function DrawerPanel({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  return (
    <div className={classes.panel} hidden={hidden}>
      {children}
    </div>
  );
}

interface BodyProps {
  /** Adds to its style, such as other distances. */
  className?: string;
  ref?: Ref<HTMLDivElement>;
  children: ReactNode;
}

/** The scrolling part of a drawer. */
export function DrawerBody({ className = '', ref, children }: BodyProps) {
  return (
    <Drawer.Body className={`${classes.body} ${className}`.trim()} ref={ref}>
      {children}
    </Drawer.Body>
  );
}
