import { Button } from '@mantine/core';
import { IconFileSpreadsheet } from '@tabler/icons-react';
import { Link, useNavigate } from 'react-router';
import { useCan } from '#/api/session';
import { pages, to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { amount, count } from '#/ui/format';
import { salesApi } from '../api';
import { by, file, lines, period, state, uploaded } from '../columns';
import type { Batch } from '../types';

const columns: Column<Batch>[] = [
  file,
  state,
  lines,
  {
    id: 'net',
    label: 'Net (₱)',
    value: ({ summary }) => summary?.net,
    number: amount,
    width: 130,
    sortable: false,
  },
  period,
  {
    id: 'problems',
    label: 'Problems',
    value: ({ summary }) => summary?.problemLines,
    number: count,
    width: 100,
    sortable: false,
    phone: 'none',
  },
  uploaded,
  by,
];

const pathOf = ({ id }: Batch) => to('toolsImportSales', null, { batch: id });

export default function RecordsPage() {
  const state = useTableState();
  const navigate = useNavigate();
  // The pages of a file and an import are guarded, this one is not.
  const mayOpen = useCan(pages.toolsImportSales.can);
  const source = useServerSource<Batch>(['import-sales', 'batches'], salesApi.batches);
  return (
    <DataTable<Batch>
      id="sales-imports"
      title="Sales import records"
      back={mayOpen && <BackLink to={pages.toolsImportSales.path} label="Import sales" />}
      one="import"
      many="imports"
      icon={IconFileSpreadsheet}
      plain
      source={source}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ fileName }) => fileName}
      state={state}
      hrefOf={mayOpen ? pathOf : undefined}
      onOpen={mayOpen ? (batch) => void navigate(pathOf(batch)) : undefined}
      faded={({ state }) => state === 'superseded' || state === 'reverted'}
      empty={{
        text: 'Every file that is uploaded is kept here with what became of it.',
        action: mayOpen && (
          <Button component={Link} to={pages.toolsImportSales.path}>
            Import sales
          </Button>
        ),
      }}
    />
  );
}
