import { Button } from '@mantine/core';
import { IconAdjustments } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useCan } from '#/api/session';
import { pages } from '#/paths';
import { useTableState } from '#/table/useTableState';
import type { Day, Layout } from './api';
import { askedOf, DayTable } from './DayTable';
import { MappingDrawer } from './MappingDrawer';
import { PreviewDrawer } from './PreviewDrawer';
import { useWithdrawal } from './useWithdrawal';
import { recordOf } from './withdrawals';

/** Stores' days on their way to NetSuite: their status and format. */
export default function NetsuitePage() {
  const mayEdit = useCan('sales/netsuite', 'edit');
  const [opened, setOpened] = useState<Day | null>(null);
  const [mapping, setMapping] = useState<{ layout: Layout; from: string; to: string } | null>(null);
  const { layout } = askedOf(useTableState());
  const withdrawal = useWithdrawal(layout);
  return (
    <>
      <DayTable
        id="sales-netsuite"
        title="NetSuite"
        onOpen={setOpened}
        bulk={withdrawal.actions}
        pickable={(row) => recordOf(row, layout) !== undefined}
        actions={(asked) => (
          <>
            {mayEdit && (
              <Button
                variant="default"
                leftSection={<IconAdjustments size={16} aria-hidden />}
                onClick={() => setMapping(asked)}
              >
                Columns
              </Button>
            )}
            <Button component={Link} to={pages.salesNetsuiteImport.path}>
              Store sales import
            </Button>
          </>
        )}
      />
      <PreviewDrawer row={opened} layout={layout} onClose={() => setOpened(null)} />
      {withdrawal.dialog}
      {mapping && (
        <MappingDrawer
          layout={mapping.layout}
          range={{ from: mapping.from, to: mapping.to }}
          onClose={() => setMapping(null)}
        />
      )}
    </>
  );
}
