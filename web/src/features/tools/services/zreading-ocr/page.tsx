import { Button } from '@mantine/core';
import { IconPhotoScan } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { request } from '#/api/client';
import { Problem } from '#/api/problem';
import type { components } from '#/api/schema.gen';
import { useCan } from '#/api/session';
import { to } from '#/paths';
import { BackLink } from '#/ui/BackLink';
import { DropArea } from '#/ui/DropArea';
import { EmptyState } from '#/ui/EmptyState';
import { ErrorBox } from '#/ui/ErrorBox';
import { count, day, money, plural } from '#/ui/format';
import { JobProgress } from '#/ui/JobProgress';
import { Page, Panel } from '#/ui/Page';
import { Shortened } from '#/ui/Shortened';
import { StatusPill, type Tone } from '#/ui/StatusPill';
import { StoreChoice, useMyStores } from '#/ui/StoreChoice';
import classes from './OcrPage.module.css';
import { Unsorted } from './Unsorted';
import { useUnsorted } from './unsorted';

type Row = components['schemas']['ZReadingRow'];

/** Pictures per request: a slow network loses at most these. */
const AT_ONCE = 4;
const KEY = ['sales', 'z-reading'] as const;
const ACCEPT = 'image/jpeg,image/png,image/webp,image/gif';

const VERDICTS: Readonly<Record<string, { label: string; tone: Tone }>> = {
  holds: { label: 'Slip adds up', tone: 'ok' },
  review: { label: 'To look at', tone: 'warn' },
  unreadable: { label: 'Unreadable', tone: 'danger' },
  reading: { label: 'Being read', tone: 'neutral' },
};
const ORDER = ['unreadable', 'review', 'holds', 'reading'];
const verdictOf = (row: Row) => (row.state === 'captured' ? 'reading' : (row.verdict ?? 'review'));

/** Upload of Z-reading pictures: read one after the other, then sorted by confidence for review. */
export default function ZReadingOcrPage() {
  const { open } = useMyStores();
  const [chosen, setChosen] = useState<string | null>(null);
  const storeId = chosen ?? (open.length === 1 ? (open[0]?.id ?? '') : '');
  const [jobs, setJobs] = useState<readonly string[]>([]);
  const [sending, setSending] = useState<{ done: number; total: number } | null>(null);
  const [refused, setRefused] = useState<readonly { fileName: string; problem: string }[]>([]);
  const [known, setKnown] = useState(0);
  const [failed, setFailed] = useState('');
  const mayUpload = useCan('tools/zReadingOcr', 'create');
  const maySeeServices = useCan('tools/services', 'view');
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: KEY });

  async function send(files: readonly File[]): Promise<void> {
    setRefused([]);
    setKnown(0);
    setFailed('');
    setSending({ done: 0, total: files.length });
    let sent = 0;
    try {
      for (let at = 0; at < files.length; at += AT_ONCE) {
        const form = new FormData();
        for (const file of files.slice(at, at + AT_ONCE)) form.append('pictures', file, file.name);
        const { job, items } = await request('POST', '/api/tools/services/zreading-ocr/uploads', {
          query: { storeId: storeId || undefined },
          form,
        });
        sent = Math.min(files.length, at + AT_ONCE);
        if (job) setJobs((now) => [...now, job]);
        setKnown((n) => n + items.filter((item) => item.known).length);
        setRefused((now) => [
          ...now,
          ...items.flatMap(({ fileName, problem }) => (problem ? [{ fileName, problem }] : [])),
        ]);
        setSending({ done: sent, total: files.length });
        refresh();
      }
    } catch (error) {
      const left = `${plural(files.length - sent, 'picture was', 'pictures were')} not sent.`;
      setFailed(`${Problem.of(error).message} ${left}`);
    } finally {
      setSending(null);
    }
  }

  const [job] = jobs;
  return (
    <Page
      title="Z-reading OCR"
      back={
        maySeeServices ? (
          <BackLink to={to('toolsServices')} label="Services" />
        ) : (
          <BackLink to={to('salesZReading')} label="Z-readings" />
        )
      }
      actions={
        <Button component={Link} to={to('salesZReading')} variant="default">
          All Z-readings
        </Button>
      }
    >
      <Panel>
        <div className={classes.top}>
          <StoreChoice
            value={storeId}
            onChange={setChosen}
            label="Store of the pictures"
            none="Sort by machine number"
            fresh
          />
          <p className={classes.hint}>
            Store and till are found by the machine number on the picture. Each picture waits for
            your review; nothing is verified by itself.
          </p>
        </div>
        {mayUpload && (
          <DropArea
            title={sending ? `Sending ${sending.done} of ${sending.total}…` : 'Drop pictures here'}
            hint="or choose them: JPEG, PNG, WebP or GIF, 20 MiB each"
            accept={ACCEPT}
            disabled={sending !== null}
            onFiles={(files) => void send(files)}
          />
        )}
        {failed && <ErrorBox>{failed}</ErrorBox>}
        {known > 0 && (
          <p className={classes.hint} role="status">
            {plural(known, 'picture')} had been sent before and made nothing new.
          </p>
        )}
        {refused.length > 0 && (
          <ErrorBox>
            {refused.map(({ fileName, problem }) => `${fileName}: ${problem}`).join(' ')}
          </ErrorBox>
        )}
        {job && (
          <JobProgress
            key={job}
            jobId={job}
            title="Reading the pictures"
            unit="pictures"
            cancellable
            onOver={() => {
              setJobs((now) => now.slice(1));
              refresh();
            }}
          />
        )}
      </Panel>
      <Unsorted onPlaced={refresh} />
      <Results storeId={storeId} />
    </Page>
  );
}

/** Readings to review, the worst first, each with a link. */
function Results({ storeId }: { storeId: string }) {
  const unsorted = useUnsorted();
  const { data, error } = useQuery({
    queryKey: [...KEY, 'ocr', storeId],
    queryFn: ({ signal }) =>
      request('GET', '/api/sales/z-reading', {
        query: {
          storeId: storeId || undefined,
          state: 'captured,needsReview',
          sort: '-updatedAt',
          pageSize: 200,
        },
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ state: at }) => at === 'captured') ? 2_000 : false,
  });
  if (error) return <ErrorBox>{Problem.of(error).message}</ErrorBox>;
  const rows = (data?.items ?? []).filter(({ source }) => source === 'picture');
  if (data && rows.length === 0) {
    // Those above wait, too.
    if (unsorted.data?.items.length) return null;
    return (
      <EmptyState
        icon={IconPhotoScan}
        title="No pictures wait"
        text="Pictures that were read stay here until someone has reviewed them."
      />
    );
  }
  const byVerdict = ORDER.map((verdict) => {
    const own = rows.filter((row) => verdictOf(row) === verdict);
    const words = VERDICTS[verdict];
    if (own.length === 0 || !words) return null;
    return (
      <Panel
        key={verdict}
        title={
          <>
            <StatusPill tone={words.tone}>{words.label}</StatusPill>{' '}
            <span className="num">{count(own.length)}</span>
          </>
        }
      >
        <ul className={classes.results}>
          {own.map((row) => (
            <li key={row.id}>
              <Link to={to('salesZReadingOne', { id: row.id })} className={classes.result}>
                <img
                  src={`/api/sales/z-reading/${encodeURIComponent(row.id)}/picture?size=thumb`}
                  alt=""
                  loading="lazy"
                />
                <span className={classes.words}>
                  <strong>
                    {row.storeName}, {day(row.businessDate)}
                  </strong>
                  <span>
                    {verdict === 'unreadable'
                      ? (row.advice ?? 'Type the figures in.')
                      : verdict === 'reading'
                        ? 'Waiting for its turn'
                        : `Till ${row.terminalId || '?'} · Z ${row.zCounter ?? '?'} · net ${money(row.net)}`}
                  </span>
                  {row.failing.length > 0 && (
                    <span className={classes.bad}>{row.failing.join(' ')}</span>
                  )}
                </span>
                {row.doubtful > 0 && verdict === 'review' && (
                  <span className={classes.count}>{plural(row.doubtful, 'doubtful field')}</span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </Panel>
    );
  });
  return (
    <>
      {byVerdict}
      <Shortened
        shown={data?.items.length ?? 0}
        total={data?.total}
        many="readings that wait"
        hint="The others come up as these are reviewed."
      />
    </>
  );
}
