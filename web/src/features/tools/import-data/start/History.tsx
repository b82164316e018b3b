import { Button } from '@mantine/core';
import { IconArrowBackUp, IconFileImport, IconZoomIn } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { batchColumns } from '#/imports/columns';
import { to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { count } from '#/ui/format';
import { importApi, KEY } from '../api';
import { UndoDialog } from '../batch/UndoDialog';
import { stateOf } from '../states';
import type { Batch, ImportList } from '../types';

const pathOf = ({ id }: Batch) => to('toolsImportData', null, { batch: id });
const idOf = ({ id }: Batch) => id;
const labelOf = ({ fileName }: Batch) => fileName;

function columnsOf(lists: readonly ImportList[]): Column<Batch>[] {
  const { file, state, uploaded, by } = batchColumns<Batch['state'], Batch>(stateOf);
  return [
    file,
    {
      id: 'list',
      label: 'List',
      value: ({ list }) => lists.find(({ slug }) => slug === list)?.label ?? list,
      width: 180,
      sortable: false,
      phone: 'sub',
    },
    { ...state, width: 110 },
    figure('created', 'New'),
    figure('updated', 'Changed'),
    figure('failed', 'Problems'),
    { ...uploaded, phone: 'sub' },
    by,
  ];
}

function figure(id: 'created' | 'updated' | 'failed', label: string): Column<Batch> {
  return {
    id,
    label,
    value: ({ summary }) => summary?.[id],
    number: count,
    width: 96,
    sortable: false,
    phone: 'none',
  };
}

/** Every uploaded file, and its outcome. */
export function History({ lists }: { lists: readonly ImportList[] }) {
  const state = useTableState();
  const navigate = useNavigate();
  const [undoing, setUndoing] = useState<Batch | null>(null);
  const columns = useMemo(() => columnsOf(lists), [lists]);
  const source = useServerSource<Batch>([...KEY, 'batches', 'all'], importApi.batches);
  return (
    <>
      <DataTable<Batch>
        id="data-imports"
        title="Earlier imports"
        one="import"
        many="imports"
        icon={IconFileImport}
        bare
        plain
        source={source}
        columns={columns}
        rowId={idOf}
        rowLabel={labelOf}
        state={state}
        hrefOf={pathOf}
        onOpen={(batch) => void navigate(pathOf(batch))}
        faded={(batch) => batch.state === 'undone'}
        rowActions={[
          { label: 'View', icon: IconZoomIn, run: (batch) => void navigate(pathOf(batch)) },
          {
            label: 'Undo import',
            icon: IconArrowBackUp,
            danger: true,
            shown: (batch) => batch.state === 'committed',
            run: setUndoing,
          },
        ]}
        empty={{
          text: 'Every file that is uploaded is kept here, with what became of it.',
          action: (
            <Button component={Link} to={to('toolsImportData')}>
              Import a file
            </Button>
          ),
        }}
      />
      {undoing && (
        <UndoDialog
          batch={undoing}
          onClose={() => setUndoing(null)}
          onStarted={(batch) => void navigate(pathOf(batch))}
        />
      )}
    </>
  );
}
