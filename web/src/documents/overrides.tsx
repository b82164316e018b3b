// Why checks of lines were overridden, for the page of a document and its paper.
import type { components } from '#/api/schema.gen';
import type { GridColumn } from '#/grid/types';
import classes from './Document.module.css';

export type LineOverride = components['schemas']['LineOverride'];

const WORDS: Record<LineOverride['check'], string> = {
  expired: 'Expired',
  notEnough: 'Over stock',
};

/** What was overridden for a line: «Over stock: Counted 80». */
export const overrideText = (overrides: readonly LineOverride[], lineId: string): string =>
  overrides
    .filter((one) => one.lineId === lineId)
    .map(({ check, reason }) => `${WORDS[check]}: ${reason}`)
    .join('. ');

/** The column of these reasons; none where nothing was overridden. */
export function overrideColumns<Row extends { id: string }>(
  overrides: readonly LineOverride[],
): GridColumn<Row>[] {
  if (overrides.length === 0) return [];
  return [
    {
      id: 'override',
      label: 'Override',
      width: 220,
      phone: 'sub',
      cell: ({ id }) => {
        const text = overrideText(overrides, id);
        return text && <span title={text}>{text}</span>;
      },
    },
  ];
}

interface PaperProps {
  overrides: readonly LineOverride[];
  lines: readonly { id: string; name: string }[];
}

/** The reasons in full below the lines, on paper: a cell has room for one line of text. */
export function OverridesOnPaper({ overrides, lines }: PaperProps) {
  const said = lines.flatMap(({ id, name }) => {
    const text = overrideText(overrides, id);
    return text ? [{ id, name, text }] : [];
  });
  if (said.length === 0) return null;
  return (
    <ul className={classes.overrides} aria-hidden>
      {said.map(({ id, name, text }) => (
        <li key={id}>
          <b>{name}</b> {text}
        </li>
      ))}
    </ul>
  );
}
