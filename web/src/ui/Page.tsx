import { Fragment, type ReactNode } from 'react';
import classes from './Page.module.css';
import { RecentChanges } from './RecentChanges';
import textClasses from './Text.module.css';
import { usePaperTitle } from './usePaperTitle';

interface HeaderProps {
  title: string;
  /** What the figures are of, if a control above them says so: on paper it is in the title of every sheet. */
  place?: string | undefined;
  /** Beside the title: the live count, a status, a date. */
  aside?: ReactNode;
  back?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, place, aside, back, actions }: HeaderProps) {
  usePaperTitle(place ? `${title}, ${place}` : title);
  return (
    <div className={classes.header}>
      {back}
      <h1 className={`${textClasses.heading} ${classes.title}`}>
        {title}
        {place && <span className={classes.place}>, {place}</span>}
      </h1>
      <div className={classes.beside}>
        {aside && <span className={classes.aside}>{unbroken(aside)}</span>}
        <RecentChanges />
      </div>
      {actions && <div className={`${classes.actions} no-print`}>{actions}</div>}
    </div>
  );
}

/** Text whose lines end only between its parts, before the dot: a minus is not separated from its number. */
function unbroken(aside: ReactNode): ReactNode {
  if (typeof aside !== 'string') return aside;
  return aside.split(/\s·\s/).map((part, at) => (
    <Fragment key={part}>
      {at > 0 && ' '}
      <span className={classes.part}>{at > 0 ? `· ${part}` : part}</span>
    </Fragment>
  ));
}

interface PageProps extends HeaderProps {
  children: ReactNode;
  /** Its table fills the rest of the window. */
  fill?: boolean;
  narrow?: boolean;
  /** The sheet it is printed on, as in `global.css`; a page that fills the window is printed in landscape. */
  paper?: 'sideways' | 'month';
}

/** A page that scrolls as a whole, or fills the window. */
export function Page({ children, fill, narrow, paper, ...header }: PageProps) {
  return (
    <div
      className={classes.page}
      data-fill={fill || undefined}
      data-narrow={narrow || undefined}
      data-paper={paper}
    >
      <PageHeader {...header} />
      {children}
    </div>
  );
}

/** A white panel on the canvas. */
export function Panel({
  title,
  aside,
  children,
}: {
  title?: ReactNode;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className={classes.panel}>
      {(title || aside) && (
        <div className={classes.panelHead}>
          <h2 className={classes.panelTitle}>{title}</h2>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A named figure, for the head of a report. */
export function Tile({ name, value, note }: { name: string; value: string; note?: ReactNode }) {
  return (
    <div className={classes.tile}>
      <span className={classes.tileName}>{name}</span>
      <span className={`${classes.tileValue} num`}>{value}</span>
      {note && <span className={classes.tileNote}>{note}</span>}
    </div>
  );
}

export function Tiles({ children }: { children: ReactNode }) {
  return <div className={classes.tiles}>{children}</div>;
}
