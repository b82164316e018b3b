import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useNames } from '#/api/names';
import { Problem } from '#/api/problem';
import { documentChanged } from '#/documents/api';
import { productionDef, productionsApi } from '#/documents/productions';
import { to } from '#/paths';
import { DateField } from '#/ui/DateField';
import { Dialog } from '#/ui/Dialog';
import { today } from '#/ui/dates';
import { ErrorBox } from '#/ui/ErrorBox';
import { NumericInput } from '#/ui/NumericInput';
import { useKitchen } from '../useKitchen';
import classes from './Batch.module.css';

/** Recipe, number of batches, place and day. */
export function NewBatch({ onClose }: { onClose(): void }) {
  const navigate = useNavigate();
  const { data: recipes = [] } = useNames('recipes');
  const kitchen = useKitchen('');
  const [commissary, setCommissary] = useState('');
  const [recipeId, setRecipeId] = useState<string | null>(null);
  const [batches, setBatches] = useState<number | null>(1);
  const [plannedDate, setPlannedDate] = useState(today);
  const key = useRef(crypto.randomUUID());
  const create = useMutation({
    mutationFn: () =>
      productionsApi.create(
        { commissaryId: commissary || kitchen.id, recipeId, batches: batches ?? 0, plannedDate },
        key.current,
      ),
    onSuccess: (batch) => {
      documentChanged(productionDef, batch);
      void navigate(to('commissaryBatch', { id: batch.id }));
    },
    onError: () => {
      key.current = crypto.randomUUID();
    },
  });
  const problem = create.error && Problem.of(create.error);
  const errorOf = (field: string) =>
    problem?.fields.find((one) => one.field === field)?.message ?? null;
  const whole = batches !== null && Number.isInteger(batches) && batches > 0;

  return (
    <Dialog
      opened
      title="New batch"
      keep="Cancel"
      confirm="Plan batch"
      busy={create.isPending}
      disabled={!recipeId || !whole || !plannedDate}
      onConfirm={() => create.mutate()}
      onClose={onClose}
    >
      <div className={classes.form}>
        {problem && problem.fields.length === 0 && <ErrorBox focus>{problem.message}</ErrorBox>}
        <Select
          label="Recipe"
          placeholder="Find a recipe"
          data={recipes.map(({ id, name }) => ({ value: id, label: name }))}
          limit={60}
          searchable
          openOnFocus={false}
          data-autofocus
          value={recipeId}
          onChange={setRecipeId}
          nothingFoundMessage="No such recipe"
          error={errorOf('recipeId')}
        />
        <NumericInput
          reads="whole"
          label="Batches"
          min={1}
          value={batches}
          onChange={setBatches}
          error={errorOf('batches')}
        />
        <Select
          label="Commissary"
          data={kitchen.all.map(({ id, name }) => ({ value: id, label: name }))}
          value={commissary || kitchen.id || null}
          onChange={(id) => id && setCommissary(id)}
          allowDeselect={false}
          error={errorOf('commissaryId')}
        />
        <DateField
          label="Planned for"
          value={plannedDate}
          onChange={(date) => setPlannedDate(date)}
          error={errorOf('plannedDate')}
        />
      </div>
    </Dialog>
  );
}
