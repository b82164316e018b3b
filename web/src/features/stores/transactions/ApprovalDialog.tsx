import { request } from '#/api/client';
import { RuleDialog } from '#/documents/RuleDialog';
import { type WasteSettings, wasteDef } from '#/documents/waste';
import { money } from '#/ui/format';

/** The value above which waste needs approval. */
export function ApprovalDialog({ onClose }: { onClose(): void }) {
  return (
    <RuleDialog<WasteSettings>
      onClose={onClose}
      rule={{
        title: 'Approval of waste',
        about:
          'A waste report worth more than this waits until a user with the right approves it. Leave it empty and every report is posted at once. It holds for all stores.',
        label: 'Needs approval above (₱)',
        placeholder: 'No approval',
        key: [...wasteDef.key, 'settings'],
        load: (signal) => request('GET', '/api/stores/waste/settings', { signal }),
        save: (approvalAbove, revision) =>
          request('PUT', '/api/stores/waste/settings', { json: { approvalAbove, revision } }),
        valueOf: ({ approvalAbove }) => approvalAbove,
        check: (value) => (value !== null && value < 0 ? 'Enter an amount, zero or more.' : null),
        said: ({ approvalAbove }) =>
          approvalAbove == null
            ? 'No waste waits for approval'
            : `Above ${money(approvalAbove)} waste waits for approval`,
      }}
    />
  );
}
