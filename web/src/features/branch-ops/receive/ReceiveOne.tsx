import { Button, TextInput } from '@mantine/core';
import { IconChecks, IconPackageOff } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate, useParams } from 'react-router';
import { scannedLine } from '#/api/barcodes';
import { Problem } from '#/api/problem';
import { can, isUnreachable, useMe } from '#/api/session';
import { useBarcodes } from '#/offline/barcodes';
import { outsideShell } from '#/paths';
import { today } from '#/ui/dates';
import { EmptyState } from '#/ui/EmptyState';
import { plural, qty } from '#/ui/format';
import { unknownCode } from '#/ui/unknownCode';
import { useScanner } from '#/ui/useScanner';
import { useComing } from '../coming';
import { useReceivingSettings } from '../data';
import { useDraft } from '../drafts';
import { type ExpectedLine, useExpectedLines } from '../lines';
import { MOST_PHOTOS, PhotoField } from '../PhotoField';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved } from '../StateOf';
import { useOpenStore } from '../store';
import type { Coming } from '../types';
import {
  byProduct,
  cameAtFault,
  emptyForm,
  isFound,
  type LineForm,
  photosOf,
  readLine,
  recordOf,
  withPhotos,
} from './form';
import classes from './Receive.module.css';
import { cameId, ReceiveLine } from './ReceiveLine';

/** From how many lines on they can be searched. */
const LONG = 8;

const LIST = { to: `${outsideShell.branchOps}/receive`, label: 'Receive' };

/** Receives one delivery or transfer. */
export function ReceiveOne() {
  const { id = '' } = useParams();
  const { store } = useOpenStore();
  const { today: list, open } = useComing(store.id);
  // Stays open when it leaves the list, to keep what was typed.
  const [coming, setComing] = useState<Coming>();
  const found = open.find((one) => one.id === id);
  if (found && found !== coming) setComing(found);
  const shown = found ?? (coming?.id === id ? coming : undefined);
  if (shown) return <Taking key={shown.id} coming={shown} />;
  return (
    <Screen title="Receive" back={LIST}>
      {list.isPending ? (
        <output className={screen.loading}>Loading…</output>
      ) : (
        <EmptyState
          icon={IconPackageOff}
          title="This is not on its way to your store"
          text="It may have been taken in already, or it goes to another store."
        />
      )}
    </Screen>
  );
}

function Taking({ coming }: { coming: Coming }) {
  const me = useMe();
  const navigate = useNavigate();
  const expected = useExpectedLines(coming);
  const { draft: name } = placeOf({ kind: 'receive', storeId: coming.storeId, subject: coming.id });
  const draft = useDraft(name, emptyForm);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const [search, setSearch] = useState('');
  const list = useRef<HTMLUListElement>(null);
  const mayPost = can(me, 'stores/storeReceive', 'post');
  const { data: settings } = useReceivingSettings();
  const rules = {
    tolerance: settings?.overTolerance ?? 0,
    mayOverride: can(me, 'stores/storeReceive', 'override'),
  };
  const { value: form, set } = draft;
  const lines: readonly ExpectedLine[] = expected.data?.lines ?? [];
  const read = lines.map((line) => readLine(line, form.lines[line.id], rules));
  const readings = new Map(lines.map((line, i) => [line.id, read[i]]));
  const lots = new Set(
    byProduct(lines).flatMap((one) => (one.lines.length > 1 ? one.lines.map(({ id }) => id) : [])),
  );
  const found = lines.filter((line) => isFound(line, search));
  const hidden = lines.filter(
    (line) => readings.get(line.id)?.differs && !isFound(line, search),
  ).length;
  const differing = read.filter(({ differs }) => differs).length;
  const faulty = read.filter(({ faults }) => Object.keys(faults).length > 0).length;
  const unknown = !expected.data && expected.error && isUnreachable(expected.error);
  const ready = draft.ready && (expected.data !== undefined || Boolean(unknown));

  const came = useRef<HTMLInputElement>(null);
  const [refusedTime, setRefusedTime] = useState<string | null>(null);
  const wrong = tried && faulty > 0;
  useEffect(() => {
    if (wrong) list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [wrong]);

  const finder = useRef<HTMLInputElement>(null);
  const barcodes = useBarcodes();
  useScanner((code) => {
    const line = scannedLine(lines, code, barcodes);
    if (!line) {
      const open = () => finder.current?.focus();
      unknownCode(code, lines.length > LONG ? { label: 'Find it by name', open } : undefined);
      return;
    }
    // The line must not be hidden.
    flushSync(() => setSearch(''));
    list.current?.querySelector<HTMLInputElement>(`#${CSS.escape(cameId(line.id))}`)?.focus();
  });

  const change = (id: string, typed: LineForm) =>
    set((now) => ({ ...now, lines: { ...now.lines, [id]: { ...now.lines[id], ...typed } } }));

  const room = MOST_PHOTOS - form.photos.length;
  const onPhotos = (productId: string | null, photos: (now: string[]) => string[]) =>
    set((now) => withPhotos(now, productId, photos));

  async function post(): Promise<void> {
    setTried(true);
    if (faulty > 0) {
      // A line to look at must not be hidden.
      flushSync(() => setSearch(''));
      list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      return;
    }
    const at = new Date();
    const date = today(at);
    const early = cameAtFault(form, at, date);
    setRefusedTime(early);
    if (early) return came.current?.focus();
    setBusy(true);
    const record = recordOf({
      uid: me.user.uid,
      coming,
      form,
      lines,
      draftId: expected.data?.draftId ?? coming.draftId ?? null,
      mayPost,
      rules,
      at,
      date,
    });
    const place = await queueRecord(record);
    setBusy(false);
    if (place === 'nowhere') return setUnsaved(true);
    await draft.clear();
    void navigate(LIST.to, { replace: true });
  }

  return (
    <Screen
      title={coming.number}
      back={LIST}
      text={`From ${coming.sourceName ?? 'another place'}, ${plural(coming.lineCount, 'line')}`}
      dock={
        ready && (
          <div>
            {wrong && (
              <p className={screen.dockFault} role="alert">
                {plural(faulty, 'line')} to look at: {faulty === 1 ? 'it is' : 'they are'} marked
                above.
              </p>
            )}
            <Button
              fullWidth
              loading={busy}
              leftSection={<IconChecks size={20} aria-hidden />}
              onClick={() => void post()}
            >
              {differing === 0
                ? 'All of it arrived'
                : `${mayPost ? 'Post' : 'Save'} with ${plural(differing, 'difference')}`}
            </Button>
          </div>
        )
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      {!mayPost && (
        <p className={screen.notice} data-tone="neutral">
          A user who may post receipts finishes it after you.
        </p>
      )}
      {coming.draftId && !draft.begun && (
        <p className={screen.notice} data-tone="neutral">
          A receipt of it is begun already; what you enter here goes into it.
        </p>
      )}
      {unknown && (
        <p className={screen.notice} role="status">
          Its lines are not on this device. Without a connection you can only say that all of it
          arrived; differences can be entered once the connection is back.
        </p>
      )}
      {expected.error && !unknown && !expected.data && (
        <p className={screen.notice} data-tone="danger" role="alert">
          {Problem.of(expected.error).message}
        </p>
      )}
      {!ready && !expected.error && <output className={screen.loading}>Loading…</output>}
      {draft.ready && lines.length > LONG && (
        <TextInput
          ref={finder}
          type="search"
          size="md"
          className={classes.search}
          label="Find a line"
          placeholder="Name, SKU or lot"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {hidden > 0 && (
        <p className={classes.hidden} role="status">
          {plural(hidden, 'changed line')} not shown by this search.
        </p>
      )}
      {lines.length > 0 && found.length === 0 && (
        <p className={screen.notice} data-tone="neutral" role="status">
          No line has this name, SKU or lot.
        </p>
      )}
      {draft.ready && found.length > 0 && (
        <ul className={classes.lines} ref={list} aria-label="What came">
          {byProduct(found).map((product) => {
            const [first] = product.lines;
            const cards = product.lines.map((line) => {
              const reading = readings.get(line.id);
              return (
                reading && (
                  <ReceiveLine
                    key={line.id}
                    line={line}
                    typed={form.lines[line.id]}
                    reading={reading}
                    tried={tried}
                    isLot={lots.has(line.id)}
                    onChange={change}
                    photoIds={
                      line.productId && first?.id === line.id
                        ? photosOf(form, line.productId).join(' ')
                        : undefined
                    }
                    room={room}
                    onPhotos={onPhotos}
                  />
                )
              );
            });
            if (!first || !lots.has(first.id)) return cards;
            return (
              <li key={product.id} className={classes.line}>
                <span className={classes.name}>
                  <strong>{first.name}</strong>
                  <span>
                    {qty(product.expected)} {first.unit} expected, {plural(cards.length, 'lot')}
                  </span>
                </span>
                <ul className={classes.lots} aria-label={`Lots of ${first.name}`}>
                  {cards}
                </ul>
              </li>
            );
          })}
        </ul>
      )}
      {ready && (
        <TextInput
          type="time"
          ref={came}
          label="Came at"
          error={refusedTime}
          description="Leave it empty if it came just now."
          value={form.cameAt ?? ''}
          onChange={(event) => {
            const cameAt = event.currentTarget.value;
            setRefusedTime(null);
            set((now) => ({ ...now, cameAt }));
          }}
        />
      )}
      {ready && (
        <PhotoField
          ids={photosOf(form, null)}
          most={room + photosOf(form, null).length}
          onChange={(photos) => onPhotos(null, photos)}
        />
      )}
    </Screen>
  );
}
