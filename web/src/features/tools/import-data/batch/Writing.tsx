import { Select, Switch } from '@mantine/core';
import { Panel } from '#/ui/Page';
import { Segments } from '#/ui/Segments';
import { DATE_FORMATS, type DateFormat, readDate } from '../../dateFormats';
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

/** How numbers and dates are written and what unknown names become, as far as the columns raise it. */
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
          <div className={classes.option}>
            <span className={classes.name}>Decimal mark</span>
            <Segments
              label="Decimal mark"
              value={mapping.decimal}
              options={[
                { value: '.', label: '1234.50' },
                { value: ',', label: '1234,50' },
              ]}
              onChange={(decimal) => onChange({ decimal })}
            />
          </div>
        )}
        {dates && <Dates layout={layout} list={list} mapping={mapping} onChange={onChange} />}
        {references.length > 0 && (
          <div className={`${classes.option} ${classes.wide}`}>
            <span className={classes.name}>Unknown names</span>
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
          </div>
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
      <Select
        label="Dates are written"
        value={mapping.dateFormat}
        data={[...DATE_FORMATS]}
        allowDeselect={false}
        onChange={(value) => value && onChange({ dateFormat: value as DateFormat })}
      />
      {raw && (
        <p className={classes.reads}>
          {raw} reads as <strong>{readDate(raw, mapping.dateFormat) ?? 'no date'}</strong>
        </p>
      )}
    </div>
  );
}
