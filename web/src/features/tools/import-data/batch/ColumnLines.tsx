import { Select } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import { memo } from 'react';
import { DOT } from '#/ui/format';
import { assign, fieldAt } from '../mapping';
import type { FileColumn, ImportList, Layout, Mapping } from '../types';
import classes from './ColumnLines.module.css';

const SAMPLES = 4;

interface Props {
  layout: Layout;
  list: ImportList;
  mapping: Mapping;
  onChange(next: (now: Mapping) => Mapping): void;
}

/** One line per file column: its heading, its first cells, and its meaning. */
export function ColumnLines({ layout, list, mapping, onChange }: Props) {
  return (
    <div className={classes.lines}>
      <div className={classes.head} aria-hidden>
        <span>Column of the file</span>
        <span>First cells</span>
        <span />
        <span>Larder field</span>
      </div>
      {layout.columns.map((column) => (
        <Line
          key={column.index}
          column={column}
          list={list}
          titled={mapping.hasHeader}
          field={fieldAt(mapping, column.index)}
          onChange={onChange}
        />
      ))}
    </div>
  );
}

interface LineProps {
  column: FileColumn;
  list: ImportList;
  titled: boolean;
  field: string | null;
  onChange: Props['onChange'];
}

/** Rendered again only when its own field changes: a file may have hundreds of columns. */
const Line = memo(function Line({ column, list, titled, field, onChange }: LineProps) {
  const { index, header, samples } = column;
  const title = (titled && header) || `Column ${index + 1}`;
  return (
    <div className={classes.line} data-used={field !== null || undefined}>
      <strong className={classes.title}>{title}</strong>
      <span className={classes.samples}>
        {samples.filter(Boolean).slice(0, SAMPLES).join(DOT) || 'empty'}
      </span>
      <IconArrowRight size={16} stroke={1.6} className={classes.arrow} aria-hidden />
      <Select
        aria-label={`Field for ${title}`}
        value={field}
        data={list.fields.map(({ name, label, required }) => ({
          value: name,
          label: required ? `${label} (needed)` : label,
        }))}
        placeholder="Left out"
        searchable
        clearable
        openOnFocus={false}
        selectFirstOptionOnChange
        clearButtonProps={{ 'aria-label': `Leave out ${title}` }}
        nothingFoundMessage="No such field"
        onChange={(value) => onChange((now) => assign(list, now, index, value))}
      />
    </div>
  );
});
