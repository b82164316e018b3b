import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { DocumentList } from '#/documents/DocumentList';
import { productionDef } from '#/documents/productions';
import { pages } from '#/paths';
import { useTableState } from '#/table/useTableState';
import { NewBatch } from './NewBatch';

/** The kitchens' planned, running and posted batches. */
export default function ProductionPage() {
  const state = useTableState();
  const mayCreate = useCan(productionDef.page, 'create');
  const create = () => state.set({ open: 'new' });
  return (
    <>
      <DocumentList
        def={productionDef}
        onNew={mayCreate ? create : undefined}
        actions={
          <>
            <Button component={Link} to={pages.commissaryStockTakes.path} variant="default">
              Stock-takes
            </Button>
            {mayCreate && (
              <Button leftSection={<IconPlus size={17} aria-hidden />} onClick={create}>
                New batch
              </Button>
            )}
          </>
        }
      />
      {mayCreate && state.get('open') === 'new' && (
        <NewBatch onClose={() => state.set({ open: null })} />
      )}
    </>
  );
}
