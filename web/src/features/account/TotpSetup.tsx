import { Button, CopyButton, Loader } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { confirmTotp, startTotp, type TotpStart } from '#/api/account';
import { Problem } from '#/api/problem';
import { useSave } from '#/form/useSave';
import { CodeInput } from '#/ui/CodeInput';
import { ErrorBox } from '#/ui/ErrorBox';
import classes from './account.module.css';

interface Props {
  /** Called after the recovery codes were shown. */
  onDone(): void;
  doneLabel: string;
}

/** Sets up an authenticator app: scan, enter one code, keep the recovery codes. */
export function TotpSetup({ onDone, doneLabel }: Props) {
  const [start, setStart] = useState<TotpStart | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const { busy, run } = useSave();
  const [error, setError] = useState('');
  const [tries, setTries] = useState(0);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `round` triggers a retry
  useEffect(() => {
    let current = true;
    setError('');
    startTotp().then(
      (made) => current && setStart(made),
      (problem) => current && setError(Problem.of(problem).message),
    );
    return () => {
      current = false;
    };
  }, [round]);

  async function confirm(code: string): Promise<void> {
    setError('');
    await run(() => confirmTotp(code), {
      onSaved: ({ recoveryCodes }) => setCodes(recoveryCodes),
      refused: ({ message }) => {
        setError(message);
        setTries(tries + 1);
      },
    });
  }

  if (codes) return <RecoveryCodes codes={codes} doneLabel={doneLabel} onDone={onDone} />;
  if (!start) {
    return error ? (
      <>
        <ErrorBox>{error}</ErrorBox>
        <Button variant="default" mt="sm" onClick={() => setRound(round + 1)}>
          Try again
        </Button>
      </>
    ) : (
      <output className={classes.loading} aria-label="Loading">
        <Loader size="sm" />
      </output>
    );
  }
  return (
    <ol className={classes.steps}>
      <li>
        <p>Scan this with an authenticator app, such as Google Authenticator.</p>
        <div className={classes.scan}>
          <img
            src={`data:image/svg+xml,${encodeURIComponent(start.qrSvg)}`}
            alt="QR code for the authenticator app"
            width={168}
            height={168}
            className={classes.qr}
          />
          <div className={classes.byHand}>
            <span className={classes.hint}>Cannot scan? Type this key into the app:</span>
            <code className={classes.key}>{start.secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
            <CopyButton value={start.secret}>
              {({ copied, copy }) => (
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={copy}
                  leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
                >
                  {copied ? 'Copied' : 'Copy key'}
                </Button>
              )}
            </CopyButton>
          </div>
        </div>
      </li>
      <li>
        <p>Enter the six digits that the app shows now.</p>
        {error && <ErrorBox>{error}</ErrorBox>}
        <div className={classes.code}>
          <CodeInput key={tries} busy={busy} autoFocus onCode={(code) => void confirm(code)} />
        </div>
      </li>
    </ol>
  );
}

/** The recovery codes, shown once. */
function RecoveryCodes({ codes, doneLabel, onDone }: Props & { codes: string[] }) {
  const text = `${codes.join('\n')}\n`;

  function save(): void {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = 'larder-recovery-codes.txt';
    link.click();
    URL.revokeObjectURL(url);
  }

  return (
    <div role="status" aria-label="Recovery codes">
      <p className={classes.lead}>
        The second step is on. Keep these recovery codes somewhere safe: each signs you in once when
        your phone is not at hand. They are shown only now.
      </p>
      <ul className={classes.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={classes.row}>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            >
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={save} leftSection={<IconDownload size={16} />}>
          Download
        </Button>
        <Button onClick={onDone} ml="auto">
          {doneLabel}
        </Button>
      </div>
    </div>
  );
}
