import { request } from '#/api/client';
import { RuleDialog } from '#/documents/RuleDialog';
import { money } from '#/ui/format';
import { BASE, changed, KEY, type TenderSettings } from './api';

/** The difference that figures of a day may have and still agree. */
export function ToleranceDialog({ onClose }: { onClose(): void }) {
  return (
    <RuleDialog<TenderSettings>
      onClose={onClose}
      rule={{
        title: 'Tolerance',
        about:
          'Two figures that are no further apart than this agree: sales file and Z-reading, Z-reading and declaration, declaration and deposit or settlement. It holds for all stores.',
        label: 'Tolerance (₱)',
        placeholder: '1.00',
        key: [...KEY, 'settings'],
        load: (signal) => request('GET', `${BASE}/settings`, { signal }),
        save: async (tolerance, revision) => {
          const saved = await request('PUT', `${BASE}/settings`, {
            json: { tolerance: tolerance ?? 0, revision },
          });
          void changed();
          return saved;
        },
        valueOf: ({ tolerance }) => tolerance,
        check: (value) =>
          value === null || value < 0 || value > 10_000
            ? 'Enter an amount from 0 to 10,000.'
            : null,
        said: ({ tolerance }) => `Differences up to ${money(tolerance)} are none now`,
      }}
    />
  );
}
