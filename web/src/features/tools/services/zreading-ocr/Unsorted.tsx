import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Problem } from '#/api/problem';
import { useCan } from '#/api/session';
import { SaveProblem } from '#/form/SaveProblem';
import { useSave } from '#/form/useSave';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, DOT, day, money } from '#/ui/format';
import { Panel } from '#/ui/Page';
import { StatusPill } from '#/ui/StatusPill';
import { StoreChoice } from '#/ui/StoreChoice';
import classes from './OcrPage.module.css';
import {
  discardPicture,
  fileOf,
  type NearTill,
  placePicture,
  type UnsortedPicture,
  useUnsorted,
} from './unsorted';

/** Pictures sent without a store that no machine number could sort. */
export function Unsorted({ onPlaced }: { onPlaced(): void }) {
  const mayPlace = useCan('tools/zReadingOcr', 'create');
  const { data, error } = useUnsorted();
  const list = useRef<HTMLUListElement>(null);
  const items = data?.items ?? [];
  // A placed picture leaves the list with its button: the focus goes on to the next one.
  const left = items.length;
  const before = useRef(left);
  useEffect(() => {
    const fewer = left < before.current;
    before.current = left;
    if (fewer && document.activeElement === document.body)
      list.current?.querySelector('input')?.focus();
  }, [left]);
  if (error) return <ErrorBox>{Problem.of(error).message}</ErrorBox>;
  if (items.length === 0) return null;
  return (
    <Panel
      title={
        <>
          <StatusPill tone="warn">Which store?</StatusPill>{' '}
          <span className="num">{count(items.length)}</span>
        </>
      }
    >
      <ul className={classes.results} ref={list}>
        {items.map((picture) => (
          <Row key={picture.id} picture={picture} mayPlace={mayPlace} onPlaced={onPlaced} />
        ))}
      </ul>
    </Panel>
  );
}

interface RowProps {
  picture: UnsortedPicture;
  mayPlace: boolean;
  onPlaced(): void;
}

function Row({ picture, mayPlace, onPlaced }: RowProps) {
  const { id, fileName, min, revision } = picture;
  const [storeId, setStoreId] = useState('');
  const saving = useSave();
  const place = (to: { storeId: string; terminalId?: string }) =>
    void saving.run(() => placePicture(id, { ...to, revision }), {
      as: to.terminalId ? `${to.storeId}/${to.terminalId}` : 'place',
      said: 'Placed',
      onSettled: onPlaced,
    });
  const discard = () =>
    void saving.run(() => discardPicture(id, revision), {
      as: 'discard',
      said: 'Discarded',
      onSettled: onPlaced,
    });
  return (
    <li className={classes.unsorted}>
      <a href={fileOf(id, 'full')} target="_blank" rel="noreferrer" className={classes.thumb}>
        <img src={fileOf(id, 'thumb')} alt={`Z-reading ${fileName}`} loading="lazy" />
      </a>
      <div className={classes.words}>
        <strong>{fileName}</strong>
        <span>{picture.state === 'reading' ? 'Waiting for its turn' : said(picture)}</span>
        <SaveProblem save={saving} />
      </div>
      {mayPlace && picture.state === 'asks' && (
        <div className={classes.places}>
          {picture.near.map((till) => (
            <Button
              key={`${till.storeId}/${till.terminalId}`}
              variant="default"
              size="xs"
              disabled={saving.busy}
              onClick={() => place({ storeId: till.storeId, terminalId: till.terminalId })}
            >
              {nameOf(till, min)}
            </Button>
          ))}
          <StoreChoice value={storeId} onChange={setStoreId} label={`Store of ${fileName}`} fresh />
          <Button size="xs" disabled={!storeId || saving.busy} onClick={() => place({ storeId })}>
            Place
          </Button>
          <Button variant="subtle" color="gray" size="xs" disabled={saving.busy} onClick={discard}>
            Discard
          </Button>
        </div>
      )}
    </li>
  );
}

/** What the picture shows, for finding its store. */
function said({ min, businessDate, net, advice }: UnsortedPicture): string {
  if (!min) return advice ?? 'Its machine number was not read.';
  const parts = [
    `MIN ${min}`,
    businessDate && day(businessDate),
    net != null && `net ${money(net)}`,
  ];
  return parts.filter(Boolean).join(DOT);
}

const nameOf = ({ storeName, terminalId, min }: NearTill, read: UnsortedPicture['min']) =>
  `${storeName}, till ${terminalId}${min === read ? '' : ' (nearly this MIN)'}`;
