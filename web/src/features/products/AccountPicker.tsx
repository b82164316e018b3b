import { Portal, Select } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { type Name, useNames } from '#/api/names';
import classes from './AccountPicker.module.css';
import type { AccountCell } from './columns';

export const ACCOUNTS = 'chart-of-accounts';

interface Props {
  at: AccountCell;
  onPick(account: Name | null): void;
  onClose(): void;
}

/** The choice of an account, positioned over its cell, so that rows need no inputs of their own. */
export function AccountPicker({ at, onPick, onClose }: Props) {
  const { product, field, button } = at;
  const { data: accounts = [], isPending } = useNames(ACCOUNTS);
  const frame = useRef<HTMLDivElement>(null);
  const current = product[`${field}Id`] ?? null;
  const rect = button.getBoundingClientRect();
  const width = Math.max(rect.width, 240);
  const left = Math.max(8, Math.min(rect.left, window.innerWidth - width - 8));

  function close(): void {
    onClose();
    button.focus({ preventScroll: true });
  }

  // Close on scroll, since the picker does not move with its cell.
  const leave = useRef(onClose);
  leave.current = onClose;
  useEffect(() => {
    const scrolled = (event: Event) => {
      if (!(event.target as Element).closest?.('[role="listbox"]')) leave.current();
    };
    window.addEventListener('scroll', scrolled, true);
    return () => window.removeEventListener('scroll', scrolled, true);
  }, []);

  return (
    <Portal>
      <div
        ref={frame}
        role="dialog"
        aria-label="Choose an account"
        className={classes.frame}
        style={{ left, top: rect.top, width }}
      >
        <Select
          size="xs"
          aria-label={`Account of ${product.name}`}
          data={options(accounts, current)}
          value={current}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'No account' }}
          allowDeselect={false}
          selectFirstOptionOnChange
          dropdownOpened
          comboboxProps={{ withinPortal: false }}
          autoFocus
          limit={200}
          nothingFoundMessage={isPending ? 'Loading…' : 'No account matches'}
          placeholder="Choose an account"
          onFocus={(event) => event.currentTarget.select()}
          onChange={(id) => {
            if (id !== current) onPick(accounts.find((account) => account.id === id) ?? null);
            close();
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' && event.key !== 'Tab') return;
            event.preventDefault();
            close();
          }}
          onBlur={(event) => {
            if (!frame.current?.contains(event.relatedTarget)) onClose();
          }}
        />
      </div>
    </Portal>
  );
}

/** By number, the current one first, so that pressing Enter at once changes nothing. */
function options(accounts: readonly Name[], current: string | null) {
  return accounts
    .map(({ id, name, code }) => ({ value: id, label: [code, name].filter(Boolean).join(' ') }))
    .sort(
      (a, b) =>
        Number(b.value === current) - Number(a.value === current) ||
        a.label.localeCompare(b.label, 'en', { numeric: true }),
    );
}
