import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { inSentence } from '../labels';
import { keysOf, matchable } from '../mapping';
import type { ImportList, Mapping, Match } from '../types';
import classes from './Choices.module.css';

interface Props {
  list: ImportList;
  mapping: Mapping;
  onChange(part: Partial<Mapping>): void;
}

/** The field that matches rows to records. */
export function Matching({ list, mapping, onChange }: Props) {
  const ways = matchable(list, mapping.columns);
  const { code, name } = keysOf(list);
  const labels: Record<Match, string> = {
    id: 'Id',
    code: code?.label ?? 'Code',
    name: name?.label ?? 'Name',
  };
  if (ways.length === 0) return null;
  return (
    <Panel title={`How are ${inSentence(list.label)} found?`}>
      <div className={classes.choice}>
        <Segments
          label="Records are found by"
          value={mapping.match}
          options={ways.map((way) => ({ value: way, label: `By ${labels[way]}` }))}
          onChange={(match) => onChange({ match })}
        />
        <p className={classes.says}>
          A row whose {labels[mapping.match]} is known changes that {list.one}; every other row
          makes a new one.
        </p>
      </div>
    </Panel>
  );
}
