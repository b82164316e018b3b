import { type KeyboardEvent, type RefObject, useEffect, useMemo, useState } from 'react';
import { afterFrame } from '#/ui/afterFrame';
import { FIELDS, GROUPS } from '../fields';
import type { ReviewModel } from './useReview';

/** The name of the field of the till. */
export const TILL = 'terminalId';

interface Options {
  model: ReviewModel;
  mayEdit: boolean;
  /** Whether the till was not known when the reading was opened, and is therefore the first field. */
  tillFirst: boolean;
  /** Whether the server knows the till by now, for example since another reading of it was verified. */
  tillKnown: boolean;
  form: RefObject<HTMLDivElement | null>;
  verify: RefObject<HTMLButtonElement | null>;
}

/** The fields of a reading, doubtful ones first, and the focus that goes through them. */
export function useFields({ model, mayEdit, tillFirst, tillKnown, form, verify }: Options) {
  // Decided once, so that fields do not move while they are typed in.
  const [first] = useState(() => FIELDS.filter(({ name }) => model.doubts.has(name)));
  const asked = useMemo(
    () => [...(tillFirst ? [TILL] : []), ...first.map(({ name }) => name)],
    [tillFirst, first],
  );
  const seen = (name: string) => model.confirmed.has(name) || (name === TILL && tillKnown);
  const doubtful = asked.filter((name) => !seen(name));
  const rest = useMemo(
    () =>
      GROUPS.map((group) => ({
        ...group,
        fields: group.fields.filter((field) => !(mayEdit && first.includes(field))),
      })),
    [first, mayEdit],
  );

  const input = (name: string) =>
    form.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(name)}"]`);
  // A reading that is opened to be reviewed can be typed into at once, or verified if no field is doubtful.
  useEffect(() => {
    const start = asked[0];
    if (!mayEdit) return;
    if (start) form.current?.querySelector<HTMLInputElement>(`input[name="${start}"]`)?.focus();
    else verify.current?.focus();
  }, [asked, mayEdit, form, verify]);
  // A till that becomes known is no longer asked for: the focus goes on, unless the till is being typed.
  const passed = mayEdit && tillFirst && tillKnown && !model.confirmed.has(TILL);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the till becomes known
  useEffect(() => {
    if (!passed || document.activeElement !== input(TILL)) return;
    if (doubtful[0]) input(doubtful[0])?.focus();
    else verify.current?.focus();
  }, [passed]);
  // The first field that was refused takes the focus.
  const fault = model.problem?.fields.find(({ field }) => input(field))?.field;
  useEffect(() => {
    if (fault)
      form.current?.querySelector<HTMLInputElement>(`input[name="${CSS.escape(fault)}"]`)?.focus();
  }, [fault, form]);

  const goOn = (name: string) => (event: KeyboardEvent) => {
    event.preventDefault();
    model.confirm(name);
    const left = doubtful.filter((one) => one !== name);
    const at = asked.indexOf(name);
    const after = left.find((one) => asked.indexOf(one) > at) ?? left[0];
    if (after) input(after)?.focus();
    else verify.current?.focus();
  };

  return {
    first,
    /** The names of the fields to look at first. */
    asked,
    /** Those of them that are not confirmed. */
    doubtful,
    /** The other fields, in their groups. */
    rest,
    /** The first field that was refused. */
    fault,
    focus: (name: string) => input(name)?.focus(),
    /** Takes the focus back from a dialog: to the first of these fields, or to the button that verifies. */
    correct: (names: readonly string[]) =>
      afterFrame(() => (names.map(input).find(Boolean) ?? verify.current)?.focus()),
    /** Confirms a field and goes on to the next doubtful one, or to the button that verifies. */
    goOn,
  };
}
