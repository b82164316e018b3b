import { Checkbox } from '@mantine/core';
import { useSave } from '#/form/useSave';
import { ErrorBox, NoticeBox } from '#/ui/ErrorBox';
import { plural } from '#/ui/format';
import { importApi } from '../api';
import type { Batch, Mapping } from '../types';

interface Props {
  batch: Batch;
  onChange(batch: Batch): void;
}

/** Rows that the workbook hides: they are imported too, or left out when the file is checked again. */
export function HiddenRows({ batch, onChange }: Props) {
  const { busy, problem, run } = useSave();
  const hidden = batch.summary?.hiddenRows ?? 0;
  const mapping = batch.mapping as Mapping | undefined;
  if (hidden === 0 || !mapping) return null;
  const left = mapping.hiddenRows === false;
  const leave = (hiddenRows: boolean) =>
    run(async () => onChange(await importApi.map(batch.id, { ...mapping, hiddenRows })));
  return (
    <>
      <NoticeBox>
        {plural(hidden, 'hidden row is', 'hidden rows are')} {left ? 'left out' : 'included'}.
        <Checkbox
          mt={6}
          label={hidden === 1 ? 'Leave it out' : 'Leave them out'}
          checked={left}
          disabled={busy}
          onChange={(event) => void leave(!event.currentTarget.checked)}
        />
      </NoticeBox>
      {problem && <ErrorBox>{problem.message}</ErrorBox>}
    </>
  );
}
