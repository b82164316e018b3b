import { Radio, Stack } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import { useState } from 'react';
import type { components } from '#/api/schema.gen';
import type { AskProps } from '#/lists/define';
import { Dialog } from '#/ui/Dialog';
import { addDays, today } from '#/ui/dates';
import { day } from '#/ui/format';

/** Asks whether a changed bill of materials applies to past sales, too. */
export function BomDialog({ record, answer }: AskProps<components['schemas']['PosItem']>) {
  const [choice, setChoice] = useState<'today' | 'past'>('today');
  const [from, setFrom] = useState<string | null>(addDays(today(), -7));

  return (
    <Dialog
      opened
      title="From when does this bill of materials count?"
      keep="Back to the form"
      confirm={choice === 'today' ? 'Save from today' : 'Save and recompute'}
      disabled={choice === 'past' && !from}
      onConfirm={() =>
        answer(
          choice === 'today'
            ? { bomFrom: null, recompute: false }
            : { bomFrom: from, recompute: true },
        )
      }
      onClose={() => answer(null)}
    >
      <p>The root items of “{record.description}” changed.</p>
      <Radio.Group
        value={choice}
        onChange={(value) => setChoice(value as 'today' | 'past')}
        aria-label="From when"
      >
        <Stack gap="sm">
          <Radio
            value="today"
            label="From today"
            description="Sales before today keep the bill of materials they were counted with."
          />
          <Radio
            value="past"
            label={`Recompute from ${from ? day(from) : 'a date'}`}
            description="Usage and reports from that day on are counted again."
          />
          {choice === 'past' && (
            <DatePickerInput
              label="From"
              value={from}
              onChange={setFrom}
              maxDate={today()}
              valueFormat="D MMM YYYY"
              firstDayOfWeek={1}
            />
          )}
        </Stack>
      </Radio.Group>
    </Dialog>
  );
}
