import { IconFileSpreadsheet } from '@tabler/icons-react';
import { useNavigate, useSearchParams } from 'react-router';
import { useCan } from '#/api/session';
import { MAX_MIB, UploadArea } from '#/imports/UploadArea';
import { pages, to } from '#/paths';
import { DataTable } from '#/table/DataTable';
import { useServerSource } from '#/table/sources';
import type { Column } from '#/table/types';
import { useTableState } from '#/table/useTableState';
import { BackLink } from '#/ui/BackLink';
import { qty } from '#/ui/format';
import { salesApi } from '../api';
import { BatchView } from '../batch/BatchView';
import { by, file, lines, period, state, uploaded } from '../columns';
import classes from '../page.module.css';
import type { Batch } from '../types';

const columns: Column<Batch>[] = [
  file,
  state,
  lines,
  {
    id: 'qty',
    label: 'Quantity',
    value: ({ summary }) => summary?.qty,
    number: qty,
    width: 130,
    sortable: false,
  },
  period,
  uploaded,
  by,
];

/** Daily root item quantities, for stores without till data. */
export default function RootItemQtyPage() {
  const [search] = useSearchParams();
  const batch = search.get('batch');
  const back = <BackLink to={pages.toolsImportSalesRootQty.path} label="Root item quantities" />;
  return batch ? <BatchView key={batch} id={batch} back={back} /> : <Start />;
}

const pathOf = ({ id }: Batch) => to('toolsImportSalesRootQty', null, { batch: id });

function Start() {
  const table = useTableState();
  const navigate = useNavigate();
  const mayImport = useCan('tools/importSalesProduct', 'import');
  const source = useServerSource<Batch>(['import-sales', 'root-batches'], salesApi.rootBatches);
  return (
    <DataTable<Batch>
      id="root-item-qty"
      title="Root item quantities"
      back={<BackLink to={pages.toolsImportSales.path} label="Import sales" />}
      one="file"
      many="files"
      icon={IconFileSpreadsheet}
      plain
      source={source}
      columns={columns}
      rowId={({ id }) => id}
      rowLabel={({ fileName }) => fileName}
      state={table}
      hrefOf={pathOf}
      onOpen={(batch) => void navigate(pathOf(batch))}
      faded={({ state }) => state === 'superseded' || state === 'reverted'}
      above={
        mayImport && (
          <UploadArea
            title="Drop a file with store, date, root item and quantity, or choose one"
            hint={`CSV, text, Excel or JSON, up to ${MAX_MIB} MB. The quantities count as used, in reports and forecasts.`}
            json
            onFile={async (chosen) =>
              void (await navigate(pathOf(await salesApi.uploadRoots(chosen))))
            }
            refused={(words) => (
              <p role="alert" className={classes.error}>
                {words}
              </p>
            )}
          />
        )
      }
      empty={{
        title: 'No quantities yet',
        text: 'Files with daily quantities of root items are kept here with what became of them.',
      }}
    />
  );
}
