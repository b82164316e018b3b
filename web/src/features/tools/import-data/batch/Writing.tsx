import { Select, Switch } from '@mantine/core';
import { readDate } from '#/imports/dateFormats';
import { DateFormatSelect, DecimalMark, Option } from '#/imports/Written';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { mapped, writing } from '../mapping';
import type { ImportList, Layout, Mapping } from '../types';
import classes from './Choices.module.css';

interface Props {
  layout: Layout;
  list: ImportList;
  mapping: Mapping;
  busy: boolean;
  onChange(part: Partial<Mapping>): void;
  onSheet(sheet: string): void;
}

/** Number and date formats and the handling of unknown names, as far as the columns need them. */
export function Writing({ layout, list, mapping, busy, onChange, onSheet }: Props) {
  const { numbers, dates, references } = writing(list, mapping);
  const sheets = layout.sheets ?? [];
  return (
    <Panel title="How is it written?">
      <div className={classes.options}>
        {sheets.length > 1 && (
          <Select
            label="Sheet"
            className={classes.sheet}
            value={layout.sheet ?? null}
            data={[...new Set(sheets)]}
            allowDeselect={false}
            disabled={busy}
            onChange={(sheet) => sheet && sheet !== layout.sheet && onSheet(sheet)}
          />
        )}
        {numbers && (
          <DecimalMark value={mapping.decimal} onChange={(decimal) => onChange({ decimal })} />
        )}
        {dates && <Dates layout={layout} list={list} mapping={mapping} onChange={onChange} />}
        {references.length > 0 && (
          <Option name="Unknown names" className={classes.wide}>
            <Segments
              label="Unknown names"
              value={mapping.missing}
              options={[
                { value: 'ignore', label: 'Stop' },
                { value: 'create', label: 'Make new records' },
              ]}
              onChange={(missing) => onChange({ missing })}
            />
            <p className={classes.reads}>
              In {references.map(({ label }) => label).join(', ')}. New ones are made only where a
              name is all it takes.
            </p>
          </Option>
        )}
        <Switch
          label="A row names the columns"
          checked={mapping.hasHeader}
          onChange={(event) => onChange({ hasHeader: event.currentTarget.checked })}
        />
      </div>
    </Panel>
  );
}

function Dates({
  layout,
  list,
  mapping,
  onChange,
}: Pick<Props, 'layout' | 'list' | 'mapping' | 'onChange'>) {
  const column = mapped(list, mapping).find(({ kind }) => kind === 'date')?.name;
  const at = column === undefined ? undefined : mapping.columns[column];
  const raw = layout.columns.find(({ index }) => index === at)?.samples.find(Boolean);
  return (
    <div className={classes.option}>
      <DateFormatSelect
        value={mapping.dateFormat}
        onChange={(dateFormat) => onChange({ dateFormat })}
      />
      {raw && (
        <p className={classes.reads}>
          {raw} reads as <strong>{readDate(raw, mapping.dateFormat) ?? 'no date'}</strong>
        </p>
      )}
    </div>
  );
}
