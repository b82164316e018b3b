import { Button, type ButtonProps, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import { queries } from '#/api/queries';
import { useCan } from '#/api/session';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { qty } from '#/ui/format';
import { NumericInput } from '#/ui/NumericInput';
import { kindOfUnit } from '#/ui/numberInput';
import { done } from '#/ui/toast';
import { RECALL, RECEIVING, type Recall } from './api';
import classes from './RecallPlaces.module.css';
import { placeOf, stillThere } from './stillThere';
import { WRITES_OFF, writeOffAddress } from './writeOff';

/** The places that may have some of a recalled lot, each with its answer. */
export function RecallPlaces({ places }: { places: readonly Recall[] }) {
  return (
    <ul className={classes.places} aria-label="Places that may have it">
      {places.map((place) => (
        <li key={`${place.placeKind} ${place.placeId}`}>
          <span>
            <b>{place.placeName}</b>: {stillThere(place, place.uomCode)}. {qty(place.came)} came
            {place.left > 0 && `, ${qty(place.left)} went out`}.
          </span>
          <Answers recall={place} />
        </li>
      ))}
    </ul>
  );
}

function Answers({ recall }: { recall: Recall }) {
  const mayAnswer = useMayAnswer(recall);
  const address = writeOffAddress([recall]);
  const mayWriteOff = useCan(...WRITES_OFF) && address !== null;
  if (!mayAnswer && !mayWriteOff) return null;
  return (
    <span className={classes.answers}>
      {mayWriteOff && address && (
        <Link to={address} aria-label={`Write it off: ${whereOf(recall)}`}>
          Write it off
        </Link>
      )}
      <RecallAnswers recall={recall} size="compact-xs" />
    </span>
  );
}

const whereOf = (recall: Recall) => `lot ${recall.lot} ${placeOf(recall)}`;

interface AnswersProps {
  recall: Recall;
  size: ButtonProps['size'];
  onAnswered?(): void;
}

/** Buttons to say how much of a recalled lot a place found, for those who may. */
export function RecallAnswers({ recall, size, onAnswered }: AnswersProps) {
  const mayAnswer = useMayAnswer(recall);
  const [asking, setAsking] = useState(false);
  const answer = useAnswer(recall, () => {
    setAsking(false);
    onAnswered?.();
  });
  const where = whereOf(recall);
  if (!mayAnswer) return null;
  return (
    <>
      <Button
        variant="default"
        size={size}
        loading={answer.isPending && !asking}
        aria-label={`Nothing found: ${where}`}
        onClick={() => answer.mutate({ found: 0 })}
      >
        Nothing found
      </Button>
      <Button
        variant="default"
        size={size}
        aria-label={`Found some: ${where}`}
        onClick={() => setAsking(true)}
      >
        Found …
      </Button>
      {answer.error && !asking && <ErrorBox>{Problem.of(answer.error).message}</ErrorBox>}
      {asking && (
        <Found
          recall={recall}
          busy={answer.isPending}
          error={answer.error}
          onAnswer={answer.mutate}
          onClose={() => {
            setAsking(false);
            answer.reset();
          }}
        />
      )}
    </>
  );
}

/** A store answers with the right to receive, another place with that to change or recall what it makes. */
function useMayAnswer({ placeKind }: Recall): boolean {
  const receives = useCan(RECEIVING, 'edit');
  const changes = useCan(RECALL[0], 'edit');
  const recalls = useCan(...RECALL);
  return placeKind === 'store' || placeKind === 'inTransit' ? receives : changes || recalls;
}

interface Said {
  found: number;
  note?: string;
}

function useAnswer(recall: Recall, onDone: () => void) {
  const { productId, lot, placeKind, placeId, placeName, uomCode } = recall;
  return useMutation({
    // Offline it fails with a reason: an answer must not wait unseen in memory.
    networkMode: 'always',
    mutationFn: ({ found, note }: Said) =>
      request('POST', '/api/stock/recalls/answers', {
        json: { productId, lot, placeKind, placeId, found, ...(note ? { note } : {}) },
      }),
    onSuccess: (_, { found }) => {
      const what = found === 0 ? 'nothing' : `${qty(found)} ${uomCode ?? ''}`.trimEnd();
      done(`${placeName}: ${what} found of lot ${lot}`);
      onDone();
      void queries.invalidateQueries({ queryKey: ['stock'] });
    },
  });
}

interface FoundProps {
  recall: Recall;
  busy: boolean;
  error: unknown;
  onAnswer(said: Said): void;
  onClose(): void;
}

function Found({ recall, busy, error, onAnswer, onClose }: FoundProps) {
  const [found, setFound] = useState<number | null>(null);
  const [note, setNote] = useState('');
  const unit = recall.uomCode ?? '';
  return (
    <Dialog
      opened
      title={`Lot ${recall.lot} of ${recall.name} ${placeOf(recall)}`}
      keep="Answer later"
      confirm="Save answer"
      busy={busy}
      disabled={found === null || found < 0}
      onConfirm={() => found !== null && onAnswer({ found, note: note.trim() })}
      onClose={onClose}
    >
      {error ? <ErrorBox focus>{Problem.of(error).message}</ErrorBox> : null}
      <p>
        The answer takes nothing out of stock.{' '}
        {recall.placeKind === 'inTransit'
          ? 'If it is taken in all the same, the store is asked again.'
          : 'Write off what you throw away.'}
      </p>
      <NumericInput
        label={unit ? `Found, in ${unit}` : 'Found'}
        reads={kindOfUnit(unit)}
        unit={unit}
        min={0}
        required
        value={found}
        data-autofocus
        onChange={setFound}
      />
      <Textarea
        label="Note"
        autosize
        minRows={2}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
