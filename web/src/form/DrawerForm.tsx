import type { ReactNode, Ref } from 'react';
import { DrawerBody } from '#/ui/DrawerViews';
import { Kbd } from '#/ui/Kbd';
import classes from './DrawerForm.module.css';

interface Props {
  /** Between the drawer's header and the scrolling body. */
  above?: ReactNode;
  /** Adds to the style of the body: `--section-gap`, `--note-gap` and `--drawer-side` set its distances. */
  bodyClass?: string;
  body?: Ref<HTMLDivElement>;
  /** At the left of the footer, such as «Delete». */
  danger?: ReactNode;
  /** Whether Ctrl Enter submits. */
  shortcut: boolean;
  /** Whether the footer names the shortcut; by default also where it does nothing. */
  shortcutShown?: boolean;
  /** At the right of the footer. */
  buttons: ReactNode;
  /** Dialogs of the form. */
  dialogs?: ReactNode;
  onSubmit(): void;
  children: ReactNode;
}

/** A form that fills a drawer: a scrolling body above a footer with the buttons. */
export function DrawerForm(props: Props) {
  const { above, bodyClass, body, danger, shortcut, shortcutShown = true, buttons } = props;
  const { dialogs, onSubmit, children } = props;
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && shortcut) {
          event.preventDefault();
          onSubmit();
        }
      }}
    >
      {above}
      <DrawerBody className={bodyClass} ref={body}>
        {children}
      </DrawerBody>
      <footer className={classes.footer}>
        {danger}
        <span className={classes.keys}>{shortcutShown && <Kbd>Ctrl Enter</Kbd>}</span>
        {buttons}
      </footer>
      {dialogs}
    </form>
  );
}

interface SectionProps {
  title?: string | null;
  /** Marks the section for links within the form. */
  name?: string;
  children: ReactNode;
}

/** A group of fields under a ruled heading. */
export function DrawerSection({ title, name, children }: SectionProps) {
  return (
    <section className={classes.group} data-section={name}>
      {title && <h3 className={classes.section}>{title}</h3>}
      {children}
    </section>
  );
}

/** Small print at the end of a form, such as who changed the record last. */
export function DrawerNote({ children }: { children: ReactNode }) {
  return <p className={classes.note}>{children}</p>;
}
