import { Button } from '@mantine/core';
import { ErrorBox } from '#/ui/ErrorBox';
import { ChoiceTable } from './ChoiceTable';
import classes from './SaveProblem.module.css';
import type { Save } from './useSave';
import type { Version } from './versions';

interface Props<R extends object> {
  save: Pick<Save<R>, 'problem' | 'theirs'>;
  /**
   * Which refusals to show: those without field errors; all, by their message; or all, by field
   * errors if there are any.
   */
  of?: 'unplaced' | 'all' | 'fields';
  /** The differences between the form and the saved record. */
  versions?(theirs: R): Version[];
  /** Fills the form with the saved record. */
  onTheirs?(theirs: R): void;
}

/** Shown for a stale revision: saving again is allowed once both versions were seen. */
export const KEPT = 'What you typed is kept: compare it with what is saved now, then save again.';

/** Why a form was not saved; for a stale revision, both versions. */
export function SaveProblem<R extends object>(props: Props<R>) {
  const { save, of = 'unplaced', versions, onTheirs } = props;
  const { problem, theirs } = save;
  if (!problem || (of === 'unplaced' && problem.fields.length > 0)) return null;
  const words = of === 'fields' ? problem.fields.map(({ message }) => message).join(' ') : '';
  const kept = theirs ? ` ${KEPT}` : '';
  const differing = theirs && versions ? versions(theirs) : [];
  return (
    <>
      {/* One text: a new one takes the focus. */}
      <ErrorBox focus>{(words || problem.message) + kept}</ErrorBox>
      {differing.length > 0 && (
        <ChoiceTable label="Both versions" className={classes.versions}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Yours</th>
              <th scope="col">Saved now</th>
            </tr>
          </thead>
          <tbody>
            {differing.map(({ label, mine, theirs }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </ChoiceTable>
      )}
      {theirs && onTheirs && (
        <Button size="compact-sm" variant="default" onClick={() => onTheirs(theirs)}>
          Take what is saved now
        </Button>
      )}
    </>
  );
}
