import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { mayOpen, useMe } from '#/api/session';
import { usePhone } from '#/ui/usePhone';
import classes from './Rail.module.css';
import { highlighted, isEnabled, landingOf, type RailSection, sections } from './sections';

/** Time for the pointer to cross the gap between a section and its menu. */
export const CLOSE_DELAY_MS = 120;

export function Rail() {
  const me = useMe();
  const { pathname } = useLocation();
  const phone = usePhone();
  const [open, setOpen] = useState<string | null>(null);
  const closing = useRef<ReturnType<typeof setTimeout>>(undefined);
  const nav = useRef<HTMLElement>(null);
  const active = highlighted(pathname).section.name;

  // A new page closes the menu that led to it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: pathname is the trigger
  useEffect(() => setOpen(null), [pathname]);
  useEffect(() => () => clearTimeout(closing.current), []);
  useEffect(() => {
    if (!open) return;
    const outside = (event: PointerEvent) => {
      if (!nav.current?.contains(event.target as Node)) setOpen(null);
    };
    document.addEventListener('pointerdown', outside);
    return () => document.removeEventListener('pointerdown', outside);
  }, [open]);

  function enter(name: string): void {
    if (phone) return;
    clearTimeout(closing.current);
    setOpen(name);
  }

  function leave(): void {
    if (phone) return;
    clearTimeout(closing.current);
    closing.current = setTimeout(() => setOpen(null), CLOSE_DELAY_MS);
  }

  function keys(event: KeyboardEvent<HTMLLIElement>, section: RailSection): void {
    const links = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-item]')];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'ArrowRight' && at < 0) {
      setOpen(section.name);
      const li = event.currentTarget;
      requestAnimationFrame(() => li.querySelector<HTMLElement>('[data-item]')?.focus());
    } else if (event.key === 'ArrowDown' && at >= 0) {
      links[Math.min(at + 1, links.length - 1)]?.focus();
    } else if (event.key === 'ArrowUp' && at >= 0) {
      links[Math.max(at - 1, 0)]?.focus();
    } else if ((event.key === 'Escape' || event.key === 'ArrowLeft') && open) {
      event.currentTarget.querySelector<HTMLElement>('a, button')?.focus();
      setOpen(null);
    } else {
      return;
    }
    event.preventDefault();
  }

  return (
    <nav className={classes.rail} aria-label="Sections" ref={nav}>
      <ul className={classes.sections}>
        {sections.map((section) => {
          const { name, icon: Picture } = section;
          const path = landingOf(me, section);
          const face = (
            <>
              <Picture size={20} stroke={1.6} aria-hidden />
              <span>{name}</span>
            </>
          );
          const common = {
            className: classes.section,
            'data-active': active === name || undefined,
            'data-open': open === name || undefined,
          };
          return (
            <li
              key={name}
              onMouseEnter={() => enter(name)}
              onMouseLeave={leave}
              onKeyDown={(event) => keys(event, section)}
            >
              {phone ? (
                <button
                  type="button"
                  {...common}
                  data-off={!path || undefined}
                  aria-expanded={open === name}
                  onClick={() => setOpen(open === name ? null : name)}
                >
                  {face}
                </button>
              ) : path ? (
                <Link to={path} {...common} aria-current={active === name ? 'true' : undefined}>
                  {face}
                </Link>
              ) : (
                <a {...common} role="link" aria-disabled="true" tabIndex={0} data-off>
                  {face}
                </a>
              )}
              {open === name && <Flyout section={section} />}
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

function Flyout({ section }: { section: RailSection }) {
  const me = useMe();
  const { pathname } = useLocation();
  const current = highlighted(pathname).item;
  return (
    <div className={classes.flyout}>
      <p className={classes.flyoutTitle}>{section.name}</p>
      <ul className={classes.items}>
        {section.items.map((entry) => (
          <li key={entry.path}>
            {isEnabled(me, section) && mayOpen(me, entry.page) ? (
              <Link
                to={entry.path}
                className={classes.item}
                data-item
                data-active={entry === current || undefined}
                aria-current={
                  entry === current ? (pathname === entry.path ? 'page' : 'true') : undefined
                }
              >
                {entry.label}
              </Link>
            ) : (
              <span className={classes.item} data-off aria-disabled="true">
                {entry.label}
              </span>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
