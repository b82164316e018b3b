import { Button } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { LeaveGuard } from '#/form/LeaveGuard';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { addDays, isDay, today } from '#/ui/dates';
import { NoticeBox } from '#/ui/ErrorBox';
import { day } from '#/ui/format';
import { showNumber } from '#/ui/numberInput';
import { Page } from '#/ui/Page';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import { type Chain, createReading, readingChanged, useChain, useTerminals } from '../api';
import { equations } from '../equations';
import { FIELDS, GROUPS } from '../fields';
import { changedOf, faultOf, numberOf, paidOf, type Values } from '../form';
import { Equations } from './Equations';
import { Failing } from './Failing';
import { FigureField } from './FigureField';
import classes from './Review.module.css';
import { TillField } from './TillField';

const EMPTY: Values = Object.fromEntries(FIELDS.map(({ name }) => [name, '']));

/** The reading of a later day that follows the last one of a chain directly. */
function fullBefore(chain: Chain | undefined) {
  const { after, next } = chain ?? {};
  const counter = after?.zCounter;
  return after && counter != null && next?.zCounter != null && counter <= next.zCounter
    ? after
    : null;
}

/** A reading typed without a picture; the end values of the till's reading before its day are filled in. */
export function NewReading({ search }: { search: URLSearchParams }) {
  const navigate = useNavigate();
  const { open } = useMyStores();
  const [storeId, setStoreId] = useState(search.get('storeId') ?? '');
  const [till, setTill] = useState(search.get('terminalId') ?? '');
  const store = storeId || (open.length === 1 ? (open[0]?.id ?? '') : '');
  const asked = search.get('date');
  const [typed, setTyped] = useState<Values>({});
  const saving = useSave();
  const { problem, errorOf } = saving;
  const saved = useRef(false);
  const key = useRef(crypto.randomUUID());
  const { data: terminals } = useTerminals(store);
  const tills = (terminals?.items ?? []).filter((one) => one.storeId === store);
  const terminalId = till || (tills.length === 1 ? (tills[0]?.terminalId ?? '') : '');
  const kept = tills.find((one) => one.terminalId === terminalId);
  const begun = isDay(asked) ? asked : addDays(today(), -1);
  const date = isDay(typed.businessDate ?? '') ? (typed.businessDate ?? begun) : begun;
  const { data: chain } = useChain(store, terminalId, undefined, addDays(date, -1));
  // Before the next reading there may be no counter left.
  const full = fullBefore(chain);
  const next = full ? null : chain?.next;

  // Values from the chain stay until something else is typed.
  const told = useMemo<Values>(
    () => ({
      ...EMPTY,
      businessDate: begun,
      zCounter: next?.zCounter == null ? '' : String(next.zCounter),
      previousTotal: showNumber(next?.previousTotal, 'money'),
      firstSi: next?.firstSi ?? '',
      min: kept?.min ?? '',
      tin: kept?.tin ?? '',
      serial: kept?.serial ?? '',
    }),
    [begun, next, kept],
  );
  const values = useMemo(() => ({ ...told, ...typed }), [told, typed]);
  const checks = useMemo(
    () =>
      equations((field) => numberOf(values, field), paidOf(values), {
        basis: kept?.basis ?? 'net',
        vatForm: kept?.vat ?? 'exclusive',
      }),
    [values, kept],
  );
  const dirty = Object.values(typed).some((text) => text.trim() !== '');

  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problem]);

  async function save(): Promise<void> {
    // Invalid input is asked for again; omitting it would save another reading than was typed.
    if (FIELDS.some((field) => faultOf(values, field))) {
      form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
      return;
    }
    const draft = { tenders: [], ...changedOf(values, EMPTY, []), storeId: store, terminalId };
    await saving.run(async () => readingChanged(await createReading(draft, key.current)), {
      said: 'Z-reading saved',
      onSaved: ({ id }) => {
        saved.current = true;
        void navigate(to('salesZReadingOne', { id }), { replace: true });
      },
      refused: () => {
        // A refused draft may be changed and resent.
        key.current = crypto.randomUUID();
      },
    });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl+Enter saves wherever the focus is
    <div
      className={classes.page}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
      }}
    >
      <LeaveGuard dirty={dirty} what="this Z-reading" saved={saved} />
      <Page
        title="New Z-reading"
        back={<BackLink to={to('salesZReading')} label="Z-readings" />}
        narrow
      >
        <div className={classes.right} ref={form} data-figures>
          <SaveProblem save={saving} of="all" />
          <section className={classes.group} aria-label="Store and till">
            <div className={classes.teach}>
              <StoreChoice
                value={store}
                onChange={(id) => {
                  setStoreId(id);
                  setTill('');
                }}
                fresh
              />
              <TillField
                storeId={store}
                value={terminalId}
                error={errorOf('terminalId')}
                onChange={setTill}
              />
            </div>
            {errorOf('storeId') && <p className={classes.fault}>{errorOf('storeId')}</p>}
          </section>
          {full && (
            <NoticeBox>
              The reading of {day(full.businessDate)} already has Z counter {full.zCounter}, the one
              after the reading before {day(date)}. No counter is left for this day.
            </NoticeBox>
          )}
          <Failing all={checks} />
          <Equations all={checks.filter(({ holds }) => holds)} />
          {GROUPS.map(({ title, fields }) => (
            <section key={title} className={classes.group} aria-label={title}>
              <h2>{title}</h2>
              <div className={classes.grid}>
                {fields.map((field) => (
                  <FigureField
                    key={field.name}
                    field={field}
                    value={values[field.name] ?? ''}
                    error={faultOf(values, field) ?? errorOf(field.name)}
                    onChange={(value) => {
                      setTyped((now) => ({ ...now, [field.name]: value }));
                      saving.setProblem(null);
                    }}
                  />
                ))}
              </div>
            </section>
          ))}
        </div>
      </Page>
      <div className={classes.bar}>
        <span className={classes.barWords}>It waits for review once it is saved.</span>
        <Button loading={saving.busy} onClick={() => void save()}>
          Save
        </Button>
      </div>
    </div>
  );
}
