import { ActionIcon, Button, Text, TextInput } from '@mantine/core';
import { IconTemplate, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { orderDef } from '#/documents/orders';
import { Dialog } from '#/ui/Dialog';
import { plural } from '#/ui/format';
import { Shortened } from '#/ui/Shortened';
import { done, undoable } from '#/ui/toast';
import classes from './Templates.module.css';

export type OrderTemplate = components['schemas']['OrderTemplate'];

const PATH = '/api/lists/order-templates';
const ONE = '/api/lists/order-templates/{id}';
const keyOf = (storeId: string) => ['lists', 'order-templates', storeId];

/** A store's named order templates: fill an order from one, or save one. */
export function Templates(props: {
  storeId: string;
  /** What would be saved: everything ordered now. */
  items: OrderTemplate['items'];
  /** Returns how many of the template's items can be ordered here. */
  onUse(template: OrderTemplate): number;
}) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTemplate size={15} aria-hidden />}
        onClick={() => setOpened(true)}
      >
        Templates
      </Button>
      {opened && <TemplatesDialog {...props} onClose={() => setOpened(false)} />}
    </>
  );
}

function TemplatesDialog({
  storeId,
  items,
  onUse,
  onClose,
}: Parameters<typeof Templates>[0] & { onClose(): void }) {
  const [name, setName] = useState('');
  const mayCreate = useCan(orderDef.page, 'create');
  const mayEdit = useCan(orderDef.page, 'edit');
  const mayDelete = useCan(orderDef.page, 'delete');
  const queryKey = keyOf(storeId);
  const list = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      request('GET', PATH, { query: { storeId, pageSize: 200, sort: 'name' }, signal }),
  });
  const templates = list.data?.items ?? [];
  const wanted = name.trim();
  const same = templates.find((one) => one.name.toLowerCase() === wanted.toLowerCase());
  const changed = () => queries.invalidateQueries({ queryKey });
  const save = useMutation<unknown, Problem>({
    mutationFn: () =>
      (same
        ? request('PATCH', ONE, { path: { id: same.id }, json: { revision: same.revision, items } })
        : request('POST', PATH, { json: { storeId, name: wanted, items } })
      ).catch((error: unknown) => {
        throw Problem.of(error);
      }),
    onSuccess: () => {
      done(same ? `Template «${same.name}» replaced` : `Template «${wanted}» saved`);
      setName('');
    },
    onSettled: () => void changed(),
  });
  const remove = useMutation<unknown, Problem, OrderTemplate>({
    mutationFn: ({ id }) =>
      request('DELETE', ONE, { path: { id } }).catch((error: unknown) => {
        throw Problem.of(error);
      }),
    onSuccess: (_, template) =>
      undoable({
        message: `Template «${template.name}» deleted`,
        records: [template.id],
        undo: () => {
          const { name, items } = template;
          return request('POST', PATH, { json: { storeId, name, items } }).finally(changed);
        },
      }),
    onSettled: () => void changed(),
  });
  const problem = save.error ?? remove.error ?? (list.error && Problem.of(list.error));
  const maySave = same ? mayEdit : mayCreate;
  const use = (template: OrderTemplate) => {
    const found = onUse(template);
    const missing = template.items.length - found;
    done(
      missing === 0
        ? `${plural(found, 'item')} taken from «${template.name}»`
        : `${plural(found, 'item')} taken from «${template.name}»; ${missing} can't be ordered any more`,
    );
    onClose();
  };
  return (
    <Dialog opened title="Templates" keep="Close" size={480} onClose={onClose}>
      {list.isSuccess && templates.length === 0 && (
        <Text size="sm" c="dimmed" mb="sm">
          This store has no templates yet. Save what is ordered now under a name, and begin the next
          order from it.
        </Text>
      )}
      {templates.length > 0 && (
        <ul className={classes.list}>
          {templates.map((template) => (
            <li key={template.id} className={classes.item}>
              <span className={classes.name}>
                {template.name}
                <small>{plural(template.items.length, 'item')}</small>
              </span>
              <Button size="xs" variant="light" onClick={() => use(template)}>
                Use
              </Button>
              {mayDelete && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={30}
                  aria-label={`Delete template ${template.name}`}
                  loading={remove.isPending && remove.variables.id === template.id}
                  onClick={() => remove.mutate(template)}
                >
                  <IconTrash size={16} aria-hidden />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      <Shortened shown={templates.length} total={list.data?.total} many="templates" />
      {(mayCreate || mayEdit) && (
        <form
          className={classes.save}
          onSubmit={(event) => {
            event.preventDefault();
            if (wanted && items.length > 0 && maySave) save.mutate();
          }}
        >
          <TextInput
            label={`Save ${items.length === 0 ? 'an order' : plural(items.length, 'item')} as a template`}
            placeholder="Name, for example Weekend"
            maxLength={200}
            value={name}
            disabled={items.length === 0}
            description={items.length === 0 ? 'Order something first.' : undefined}
            error={problem?.fields[0]?.message ?? problem?.message}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Button
            type="submit"
            variant="default"
            loading={save.isPending}
            disabled={!wanted || items.length === 0 || !maySave}
          >
            {same ? 'Replace' : 'Save'}
          </Button>
        </form>
      )}
    </Dialog>
  );
}
