import { useMemo, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { type RecordForm, useRecordForm } from '#/form/useRecordForm';
import { validate } from '#/form/values';
import { done, failed } from '#/ui/toast';
import type { OfferUndo } from '../actions';
import { type Product, productsApi, productsChanged, updateCache } from '../api';
import { checkPrices, type FormProduct, fields, NEW, toForm, toServer } from '../fields';
import { MESSAGES, TOAST_MS } from '../messages';
import { unitProblems } from '../unitForm';
import type { PictureChange } from './PictureField';
import { sendPicture } from './picture';

interface Options {
  /** Null for a new one. */
  product: Product | null;
  offer: OfferUndo;
  onSaved(product: Product): void;
}

/** A product being edited: its fields, its picture, and what is wrong with its units and prices. */
export function useProductForm({ product, offer, onSaved }: Options) {
  const [picture, setPicture] = useState<PictureChange>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [lost, setLost] = useState<Problem | null>(null);
  // The product as saved: if only the picture failed, the next try starts from here.
  const kept = useRef(product);
  /** Whether fields were saved, besides the picture. */
  const changedFields = useRef(false);
  const saved = useRef(false);
  const notSaved = product ? MESSAGES.notUpdated : MESSAGES.notSaved;

  const edit = useRecordForm<FormProduct>({
    fields,
    record: product ? toForm(product) : NEW,
    save: async (changed, revision) => {
      try {
        const wire = toServer(changed);
        kept.current =
          kept.current && revision !== null
            ? await productsApi.update(kept.current.id, revision, wire)
            : await productsApi.create(wire);
        changedFields.current = true;
        return toForm(kept.current);
      } catch (error) {
        const problem = inForm(Problem.of(error));
        if (problem.code !== 'stale') failed(notSaved, TOAST_MS);
        throw problem;
      }
    },
    onSaved: () => void finish(),
  });

  const { form } = edit;
  const found = useMemo(
    () => ({ ...unitProblems(form.values), ...checkPrices(form.values) }),
    [form.values],
  );
  const errors = useMemo(
    () => ({ ...(form.errors as Record<string, string>), ...found }),
    [form.errors, found],
  );

  /** Sends the picture last, since it needs a saved product. */
  async function finish(): Promise<void> {
    let now = kept.current;
    if (!now) return;
    if (picture) {
      setProgress(0);
      setLost(null);
      try {
        now =
          picture === 'remove'
            ? await productsApi.removePicture(now.id)
            : await sendPicture(now.id, picture, setProgress);
      } catch (error) {
        setLost(Problem.of(error));
        failed(notSaved, TOAST_MS);
        productsChanged();
        return;
      } finally {
        setProgress(null);
      }
    }
    saved.current = true;
    updateCache(now);
    productsChanged();
    const message = product ? MESSAGES.updated : MESSAGES.created;
    const { id, revision, name } = now;
    // A picture is a change of its own: after it, undoing the last change would leave the fields.
    if (picture && changedFields.current) done(message, TOAST_MS);
    else offer({ message, name, records: [{ id, revision }] });
    onSaved(now);
  }

  async function submit(): Promise<void> {
    if (edit.busy || progress !== null) return;
    if (Object.keys(found).length > 0) {
      const wrong = { ...validate(fields, form.values), ...found };
      form.setErrors(wrong);
      focusFirst(Object.keys(wrong));
    } else if (edit.dirty || !kept.current) {
      await edit.submit();
    } else if (picture) {
      await finish();
    }
  }

  return {
    edit: edit as unknown as RecordForm,
    errors,
    picture,
    setPicture,
    progress,
    /** Why the picture could not be sent while everything else was saved. */
    lost,
    busy: edit.busy || progress !== null,
    dirty: edit.dirty || picture !== null,
    saved,
    submit,
  };
}

export type ProductEdit = ReturnType<typeof useProductForm>;

/** The other user's version in the form's shape, so that both can be compared. */
function inForm(problem: Problem): Problem {
  const current = problem.extras.current as Product | undefined;
  if (!current) return problem;
  const { status, code, message, fields: wrong, requestId, extras } = problem;
  const theirs = { ...extras, current: toForm(current) };
  return new Problem(status, code, message, wrong, requestId, theirs);
}

function focusFirst(paths: readonly string[]): void {
  requestAnimationFrame(() => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-path]')];
    const first = all.find(({ dataset }) => paths.includes(dataset.path ?? ''));
    first?.focus();
    first?.scrollIntoView({ block: 'center' });
  });
}
