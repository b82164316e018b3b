import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '#/ui/Dialog';
import { ErrorBox } from '#/ui/ErrorBox';
import { bytes } from '#/ui/format';
import { StatusPill } from '#/ui/StatusPill';
import { addressOf, type Contract, curlOf, exampleOf, type Operation } from './contract';
import classes from './TestApi.module.css';

/** The longest response shown, in characters. */
const SHOWN = 200_000;

interface Answer {
  status: number;
  ms: number;
  size: number;
  headers: [string, string][];
  text: string;
}

interface Props {
  operation: Operation;
  contract: Contract;
}

/** An operation's form: parameters, body and response. */
export function OperationForm({ operation, contract }: Props) {
  const { method, path, summary, asks, parameters, bodyType, bodySchema } = operation;
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(() =>
    bodyType === 'application/json'
      ? JSON.stringify(exampleOf(bodySchema ?? undefined, contract), null, 2)
      : '',
  );
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [tried, setTried] = useState(false);
  const address = addressOf(operation, values);
  const reads = method === 'GET';

  function check(): void {
    setTried(true);
    setProblem(null);
    if (!address) return;
    if (bodyType === 'application/json') {
      try {
        JSON.parse(body);
      } catch (error) {
        setProblem(`The body is no JSON: ${error instanceof Error ? error.message : ''}`);
        return;
      }
    }
    if (reads) void send(address);
    else setAsking(true);
  }

  async function send(to: string): Promise<void> {
    setAsking(false);
    setBusy(true);
    const begun = performance.now();
    // A stream never ends: show the first ten seconds.
    const stop = AbortSignal.timeout(10_000);
    try {
      const headers: Record<string, string> = { 'X-Larder': '1' };
      if (bodyType) headers['Content-Type'] = bodyType;
      const response = await fetch(to, {
        method,
        headers,
        body: bodyType ? body : undefined,
        signal: stop,
      });
      const text = await response.text();
      setAnswer({
        status: response.status,
        ms: performance.now() - begun,
        size: new Blob([text]).size,
        headers: [...response.headers],
        text: pretty(text),
      });
    } catch (error) {
      setAnswer(null);
      setProblem(
        stop.aborted
          ? 'No whole answer came within ten seconds.'
          : `No answer: ${error instanceof Error ? error.message : ''}`,
      );
    } finally {
      setBusy(false);
    }
  }

  return (
    <section className={classes.form} aria-label={`${method} ${path}`}>
      <h2 className={classes.title}>
        <span className={classes.method} data-method={method}>
          {method}
        </span>{' '}
        {path}
      </h2>
      <p>{summary}</p>
      <p className={classes.quiet}>Asks for: {asks}</p>
      <div className={classes.fields}>
        {parameters
          .filter(({ in: place }) => place !== 'header')
          .map(({ name, in: place, required, description, schema }) => {
            const key = `${place}.${name}`;
            const missing = tried && place === 'path' && !values[key]?.trim();
            return (
              <TextInput
                key={key}
                label={name}
                required={required || place === 'path'}
                description={description}
                placeholder={schema?.enum?.join(', ')}
                value={values[key] ?? ''}
                error={missing ? `Enter the ${name}.` : null}
                onChange={(event) => setValues({ ...values, [key]: event.currentTarget.value })}
              />
            );
          })}
      </div>
      {bodyType && (
        <Textarea
          label={`Body (${bodyType})`}
          autosize
          minRows={4}
          maxRows={18}
          value={body}
          classNames={{ input: classes.code }}
          spellCheck={false}
          onChange={(event) => setBody(event.currentTarget.value)}
        />
      )}
      {problem && <ErrorBox focus>{problem}</ErrorBox>}
      <div>
        <Button loading={busy} onClick={check}>
          Send
        </Button>
      </div>
      <pre className={classes.curl}>
        {curlOf(method, `${location.origin}${address ?? path}`, bodyType, body)}
      </pre>
      {answer && (
        <>
          <div className={classes.answer} role="status">
            <StatusPill tone={answer.status < 400 ? 'ok' : 'danger'}>
              {String(answer.status)}
            </StatusPill>
            <span className={classes.quiet}>
              {Math.round(answer.ms)} ms · {bytes(answer.size)}
            </span>
          </div>
          <details>
            <summary className={classes.quiet}>Headers</summary>
            <pre className={classes.curl}>
              {answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            </pre>
          </details>
          <section className={classes.text} tabIndex={0} aria-label="Answer">
            <pre>{answer.text || 'Nothing in it.'}</pre>
          </section>
        </>
      )}
      {asking && address && (
        <Dialog
          opened
          danger={method === 'DELETE'}
          title={`Send ${method} ${address}?`}
          confirm={`Send ${method}`}
          keep="Cancel"
          onClose={() => setAsking(false)}
          onConfirm={() => void send(address)}
        >
          <p>This changes what is stored, as if you had done it in the console.</p>
        </Dialog>
      )}
    </section>
  );
}

function pretty(text: string): string {
  let whole = text;
  try {
    whole = JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: shown as it is.
  }
  return whole.length > SHOWN ? `${whole.slice(0, SHOWN)}\n… cut here` : whole;
}
