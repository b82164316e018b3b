import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '#/api/session';
import { DateField } from '#/ui/DateField';
import { isDay, today } from '#/ui/dates';
import { day } from '#/ui/format';
import { useDraft } from '../drafts';
import { OnDevice, useOnDevice } from '../OnDevice';
import { PhotoField } from '../PhotoField';
import { queueRecord } from '../queue';
import { placeOf } from '../reopen';
import { Screen } from '../Screen';
import screen from '../Screen.module.css';
import { NotSaved } from '../StateOf';
import { useOpenStore } from '../store';
import { emptyReading, readingRecord } from './form';

/** OCR reads figures from it: large enough for small print. */
const SIDE = 3200;

/** The till's Z-reading, photographed at the end of the day; the office reviews it. */
export function ZReadingPhoto() {
  const { store } = useOpenStore();
  return <OfStore key={store.id} storeId={store.id} />;
}

function OfStore({ storeId }: { storeId: string }) {
  const me = useMe();
  const here = useOnDevice('zReading', storeId);
  const [empty] = useState(() => emptyReading(today()));
  const draft = useDraft(placeOf({ kind: 'zReading', storeId, subject: null }).draft, empty);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [unsaved, setUnsaved] = useState(false);
  const { value: form, set } = draft;
  const fault = !isDay(form.date)
    ? 'Choose the day.'
    : form.date > today()
      ? 'Choose today or a day before it.'
      : null;

  async function finish(): Promise<void> {
    setTried(true);
    if (fault || form.photos.length === 0) return;
    setBusy(true);
    const { uid } = me.user;
    const place = await queueRecord(
      readingRecord({ uid, storeId, form, at: new Date(), words: day(form.date) }),
    );
    setBusy(false);
    setUnsaved(place === 'nowhere');
    if (place === 'nowhere') return;
    await draft.clear();
    setTried(false);
  }

  return (
    <Screen
      title="Z-reading photo"
      dock={
        <Button fullWidth loading={busy} onClick={() => void finish()}>
          Send the photo
        </Button>
      }
    >
      {(unsaved || !draft.safe) && <NotSaved />}
      <OnDevice {...here} done="Sent" />
      {draft.ready && (
        <>
          <p className={screen.sub}>
            Lay the paper flat, fill the frame, hold the phone still. One photo for each reading.
          </p>
          <PhotoField
            ids={form.photos}
            most={1}
            side={SIDE}
            onChange={(photos) => set((now) => ({ ...now, photos: photos(now.photos) }))}
          />
          {tried && form.photos.length === 0 && (
            <p role="alert" className={screen.dockFault}>
              Take a photo of the Z-reading first.
            </p>
          )}
          <DateField
            size="lg"
            label="Day of the reading"
            max={today()}
            value={form.date}
            error={tried && fault}
            onChange={(date) => {
              set((now) => ({ ...now, date }));
            }}
          />
          <TextInput
            size="lg"
            mt="sm"
            label="Till"
            description="Leave it empty if the store has one till."
            maxLength={50}
            value={form.terminalId}
            onChange={(event) => {
              const terminalId = event.currentTarget.value;
              set((now) => ({ ...now, terminalId }));
            }}
          />
        </>
      )}
    </Screen>
  );
}
