import { NativeSelect } from '@mantine/core';
import { kindIcon } from '#/ui/kindIcons';
import { usePhone } from '#/ui/usePhone';
import { kindOf } from '../labels';
import type { ImportList } from '../types';
import classes from './ListChoice.module.css';

interface Props {
  lists: readonly ImportList[];
  value: string | null;
  onChange(slug: string): void;
}

/** Chooses a list: all visible on a desktop, a native select on a phone. */
export function ListChoice({ lists, value, onChange }: Props) {
  const phone = usePhone();
  const sorted = [...lists].sort((a, b) => a.label.localeCompare(b.label, 'en'));
  if (phone) {
    return (
      <NativeSelect
        aria-label="What to import"
        size="md"
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        data={[
          ...(value ? [] : [{ value: '', label: 'Choose a list', disabled: true }]),
          ...sorted.map(({ slug, label }) => ({ value: slug, label })),
        ]}
      />
    );
  }
  return (
    <div className={classes.cards} role="radiogroup" aria-label="What to import">
      {sorted.map(({ slug, label }) => {
        const Picture = kindIcon(kindOf(slug));
        return (
          <label key={slug} className={classes.card}>
            <input
              type="radio"
              name="list"
              value={slug}
              checked={slug === value}
              onChange={() => onChange(slug)}
              className={classes.radio}
            />
            <Picture size={19} stroke={1.5} aria-hidden />
            <span>{label}</span>
          </label>
        );
      })}
    </div>
  );
}
