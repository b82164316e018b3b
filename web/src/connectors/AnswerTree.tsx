import { Menu } from '@mantine/core';
import { useState } from 'react';
import classes from './Connectors.module.css';
import { childPath, FIELDS, fieldLabel } from './labels';

interface Props {
  value: unknown;
  /** The field a path is mapped to. */
  usedAs(path: string): string | null;
  onUse(path: string, as: string): void;
  /** Other roles of a value: the key, the cursor. */
  roles: readonly { value: string; label: string }[];
}

/** A response as a tree; a click on a value maps it. */
export function AnswerTree(props: Props) {
  return (
    <ul className={classes.tree} aria-label="The answer">
      <Node {...props} name="" path="" depth={0} />
    </ul>
  );
}

interface NodeProps extends Props {
  name: string;
  path: string;
  depth: number;
}

function Node(props: NodeProps) {
  const { value, name, path, depth } = props;
  const [open, setOpen] = useState(depth < 6);
  if (value === null || typeof value !== 'object') return <Leaf {...props} />;
  const list = Array.isArray(value);
  // The first three items of a list show what its elements are.
  const children: [string, unknown, string][] = list
    ? value.slice(0, 3).map((it, at) => [String(at + 1), it, `${path}[]`])
    : Object.entries(value).map(([key, it]) => [key, it, childPath(path, key)]);
  const size = list ? `${value.length} in the list` : '';
  return (
    <li>
      {(name || list) && (
        <button
          type="button"
          className={classes.branch}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <span aria-hidden>{open ? '▾' : '▸'}</span> {name || 'Answer'}{' '}
          <span className={classes.quiet}>{size}</span>
        </button>
      )}
      {open && (
        <ul>
          {children.map(([key, it, at]) => (
            <Node {...props} key={key} name={key} value={it} path={at} depth={depth + 1} />
          ))}
          {list && value.length > 3 && <li className={classes.quiet}>and more alike</li>}
        </ul>
      )}
    </li>
  );
}

function Leaf({ value, name, path, usedAs, onUse, roles }: NodeProps) {
  const used = usedAs(path);
  const label = roles.find((role) => role.value === used)?.label ?? (used && fieldLabel(used));
  return (
    <li>
      <Menu withInitialFocusPlaceholder={false} position="bottom-start" shadow="md">
        <Menu.Target>
          <button type="button" className={classes.leaf} data-used={used ? true : undefined}>
            <span className={classes.name}>{name}:</span>{' '}
            <span className={classes.value}>{value === null ? 'nothing' : String(value)}</span>{' '}
            {label && <span className={classes.used}>{label}</span>}
          </button>
        </Menu.Target>
        <Menu.Dropdown mah={340} className={classes.menu}>
          <Menu.Label>Use as</Menu.Label>
          {FIELDS.map((field) => (
            <Menu.Item key={field.value} onClick={() => onUse(path, field.value)}>
              {field.label}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {roles.map((role) => (
            <Menu.Item key={role.value} onClick={() => onUse(path, role.value)}>
              {role.label}
            </Menu.Item>
          ))}
          {used && (
            <Menu.Item color="red" onClick={() => onUse(path, '')}>
              Not used
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
    </li>
  );
}
