import type { ReactNode } from 'react';
import { useNameOf } from '#/api/names';
import { count, DOT, moment } from '#/ui/format';
import type { Run } from '../api';
import { askLabel, changeLabel, figureLabel, lasted } from '../labels';
import { RunState } from '../RunState';
import classes from './Forecast.module.css';

interface Props {
  run: Run;
  /** The choice of run. */
  choice: ReactNode;
  /** The text about failures. */
  failedLabel?: string;
  /** Its figures are elsewhere on the page. */
  bare?: boolean;
  onFailed(): void;
}

/** The shown run: time, parameters, outcome and changes. */
export function RunLine(props: Props) {
  const { run, choice, onFailed, bare, failedLabel = 'could not be forecast' } = props;
  const stores = useNameOf('stores');
  // Zeros that were zero before are left out.
  const figures = (bare ? [] : (run.outcome?.figures ?? [])).filter(
    ({ value, before }) => value || before,
  );
  const failed = run.outcome?.failedTotal ?? 0;
  return (
    <section className={classes.run} aria-label="The run shown">
      <div className={classes.runHead}>
        {choice || <strong>{moment(run.createdAt)}</strong>}
        <RunState run={run} />
        {(run.error || !bare) && <span>{run.error ?? run.outcome?.words}</span>}
        {failed > 0 && (
          <button type="button" className={classes.link} onClick={onFailed}>
            {count(failed)} {failedLabel}
          </button>
        )}
      </div>
      <div className={classes.told}>
        <p className={classes.quiet}>
          {[
            askLabel(run.asked, (id) => stores.get(id)?.name),
            lasted(run.durationMs) && `took ${lasted(run.durationMs)}`,
          ]
            .filter(Boolean)
            .join(DOT)}
        </p>
        {figures.length > 0 && (
          <dl className={classes.chips}>
            {figures.map((figure) => {
              const changed = changeLabel(figure);
              return (
                <div key={figure.label}>
                  <dt>{figure.label}</dt>
                  <dd className="num">
                    {figureLabel(figure)}
                    {changed && (
                      <small title="Against the run before that was asked the same">
                        {changed}
                      </small>
                    )}
                  </dd>
                </div>
              );
            })}
          </dl>
        )}
      </div>
    </section>
  );
}
