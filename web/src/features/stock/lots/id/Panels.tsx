import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { to } from '#/paths';
import { recordPath } from '#/records';
import type { LotTrace, TracedLot } from '#/stock/api';
import { rangeOf } from '#/stock/stillThere';
import { DOT, day, plural, qty } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import classes from './Lot.module.css';
import { type Holder, holdersOf, inAll, lotKey, type Origin, originsOf, usedOf } from './model';

/** A panel that scrolls on its own, so that all fit on one screen. */
function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.panel} aria-label={title} tabIndex={0}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Its origin and ingredients. */
export function CameFrom({ trace }: { trace: LotTrace }) {
  const origins = originsOf(trace);
  const madeOf = trace.lots.filter(({ side }) => side === 'madeOf');
  const several = new Set(origins.map(({ document }) => document.productId)).size > 1;
  return (
    <Panel title="Where it came from">
      {origins.length === 0 && madeOf.length === 0 && (
        <p className={classes.none}>No batch or supplier’s receipt names this lot.</p>
      )}
      <ul className={classes.list}>
        {origins.map((origin) => (
          <li key={origin.key}>
            <span className={classes.main}>
              {origin.event === 'made' ? 'Made' : 'Brought by'} {origin.event === 'made' && 'at '}
              <b>{origin.place ?? 'an unknown place'}</b>
              {origin.event !== 'made' && origin.to && ` to ${origin.to}`}
            </span>
            <span className={classes.figure}>
              {qty(origin.qty)} {origin.uomCode}
            </span>
            <span className={classes.sub}>
              {several && `${origin.document.name}${DOT}`}
              {day(origin.date)}
              <DocumentOf origin={origin} />
            </span>
          </li>
        ))}
      </ul>
      {madeOf.length > 0 && (
        <>
          <h3 className={classes.head}>Made of {plural(madeOf.length, 'lot')}</h3>
          <Lots lots={madeOf} trace={trace} />
        </>
      )}
    </Panel>
  );
}

function DocumentOf({ origin }: { origin: Origin }) {
  const { documentKind, documentId, documentNo } = origin.document;
  if (!documentNo) return null;
  const path = recordPath(documentKind, documentId);
  return (
    <>
      {DOT}
      {path ? <Link to={path}>{documentNo}</Link> : documentNo}
    </>
  );
}

/** What was made of it. */
export function WentInto({ trace }: { trace: LotTrace }) {
  const lots = trace.lots.filter(({ side }) => side === 'wentInto');
  return (
    <Panel title="What it went into">
      {lots.length === 0 ? (
        <p className={classes.none}>No batch used it.</p>
      ) : (
        <Lots lots={lots} trace={trace} />
      )}
    </Panel>
  );
}

function Lots({ lots, trace }: { lots: readonly TracedLot[]; trace: LotTrace }) {
  return (
    <ul className={classes.list}>
      {lots.map((lot) => (
        <li key={lotKey(lot)}>
          <span className={classes.main}>
            <Link to={to('stockLot', { lot: lot.lot }, { product: lot.productId })}>{lot.lot}</Link>{' '}
            {lot.recalledAt && <StatusPill tone="danger">Recalled</StatusPill>}
          </span>
          <span className={classes.figure}>{muchOf(trace, lot)}</span>
          <span className={classes.sub}>
            {lot.name}
            {lot.expiry && `${DOT}expires ${day(lot.expiry)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The quantity used of it, or else what is left. */
function muchOf(trace: LotTrace, lot: TracedLot): string {
  const used = lot.side === 'madeOf' ? usedOf(trace, lot) : 0;
  return used > 0
    ? `${qty(used)} ${lot.uomCode ?? ''} used`
    : `${qty(inAll(trace, lot).qty)} ${lot.uomCode ?? ''} left`;
}

/** Every place with the lot or its products, and every store that received any. */
export function WhoHasIt({ trace }: { trace: LotTrace }) {
  const holders = holdersOf(trace);
  const several = new Set(holders.map(({ lot }) => lotKey(lot))).size > 1;
  return (
    <Panel title="Who got it, and what is still there">
      {holders.length === 0 ? (
        <p className={classes.none}>None of it is in stock, and no store received it.</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Got on</th>
              <th scope="col" data-right>
                Got
              </th>
              <th scope="col" data-right>
                Still there
              </th>
              <th scope="col">Unit</th>
            </tr>
          </thead>
          <tbody>
            {holders.map((holder) => (
              <tr key={holder.key} data-gone={holder.atMost === 0 || undefined}>
                <th scope="row">
                  {holder.place}
                  {several && (
                    <span className={classes.of}>
                      {holder.lot.lot}
                      {DOT}
                      {holder.lot.name}
                    </span>
                  )}
                </th>
                <td>{gotOn(holder)}</td>
                <td data-right>
                  {qty(holder.got)}
                  {holder.out > 0 && <span className={classes.of}>{qty(holder.out)} went out</span>}
                </td>
                <td data-right>
                  <b>{qty(holder.there)}</b>
                  {rangeOf(of(holder)) && <span className={classes.of}>{rangeOf(of(holder))}</span>}
                </td>
                <td>{holder.lot.uomCode}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {holders.length > 0 && (
        <p className={classes.note}>
          What stores sell and count bears no lot: what is still there is likely, and the range
          below it is possible.
        </p>
      )}
    </Panel>
  );
}

const of = ({ there, atLeast, atMost }: Holder) => ({ qty: there, atLeast, atMost });

function gotOn({ first, last }: Holder): string {
  if (!first) return '–';
  return last && last !== first ? `${day(first)} – ${day(last)}` : day(first);
}
