import { request } from '#/api/client';
import type { components } from '#/api/schema.gen';
import { RuleDialog } from '#/documents/RuleDialog';
import { receiptDef } from '#/documents/receipts';
import { inFull } from '#/ui/format';

type ReceivingSettings = components['schemas']['ReceivingSettings'];

/** How much more than expected stores may receive. */
export function ToleranceDialog({ onClose }: { onClose(): void }) {
  return (
    <RuleDialog<ReceivingSettings>
      onClose={onClose}
      rule={{
        title: 'Tolerance of receiving',
        about:
          'How many percent more than expected a store may take in by itself. More than that needs a user with the right and a reason. It holds for all stores.',
        label: 'More than expected (%)',
        placeholder: '0',
        key: [...receiptDef.key, 'settings'],
        load: (signal) => request('GET', '/api/stores/receive/settings', { signal }),
        save: (value, revision) =>
          request('PUT', '/api/stores/receive/settings', {
            json: { overTolerance: value ?? 0, revision },
          }),
        valueOf: ({ overTolerance }) => overTolerance || null,
        check: (value) =>
          value !== null && (value < 0 || value > 100) ? 'Enter a percentage from 0 to 100.' : null,
        said: ({ overTolerance }) => `Up to ${inFull(overTolerance ?? 0)}% more may come`,
      }}
    />
  );
}
