'use client';

import { Check, Plus, X } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState, type ReactNode } from 'react';
import type { ErrorJson } from '../../../lib/contract/errors';
import type { KeyJson, CreatedKeyJson } from '../../../lib/contract/keys';
import type { Mode } from '../../../lib/domain/video';
import { useRefusal } from '../components/shell/organization';
import { Button } from '../components/ui/button';
import { Card } from '../components/ui/card';
import { classNames } from '../components/ui/class-names';
import { CopyButton } from '../components/ui/copy-button';
import { FormError } from '../components/ui/field';
import { partOnDemand } from '../components/ui/part-on-demand';
import { isRunning, type ShownVideo } from '../components/video/shown-video';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { dismissFirstSteps } from './first-steps-cookie';
import { firstBody } from './first-body';
import { FirstVideo } from './first-video';

// Three steps to a first video. Progress is read from the account, so a reload loses only the key, which is not stored.

// Loaded on demand. The video player is not: inside a Suspense it would exist twice for a moment (server HTML and
// client render) and would load its file twice.
const FirstSnippet = partOnDemand(() => dynamic(() => import('./first-snippet').then((module) => module.FirstSnippet)));

export interface FirstStepsProps {
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly mayEdit: boolean;
  readonly keys: readonly KeyJson[];
  /** The newest video, if there is one. */
  readonly video: ShownVideo | undefined;
  onDone(): void;
  /** Called after a key was created or a request was sent, to refresh the page. */
  onChanged(): void;
}

/** Used for errors that have no message from the API. */
const FAILURES = {
  key: 'The key could not be created. Try again.',
  send: 'The video could not be submitted. Try again.',
};

export function FirstSteps({ mode, baseUrl, mayEdit, keys, video, onDone, onChanged }: FirstStepsProps) {
  const mayNot = useRefusal('create keys');
  const [key, setKey] = useState<string>();
  const [busy, setBusy] = useState<'key' | 'send'>();
  const [error, setError] = useState<string>();
  const usable = keys.filter((each) => each.mode === mode && each.status === 'active');
  const finished = video !== undefined && !isRunning(video);

  async function run(what: 'key' | 'send', work: () => Promise<void>) {
    setBusy(what);
    setError(undefined);
    try {
      await work();
    } catch (error) {
      setError(error instanceof Error ? error.message : FAILURES[what]);
    }
    setBusy(undefined);
  }

  const createKey = () =>
    run('key', async () => {
      setKey((await send<CreatedKeyJson>('POST', apiPaths.keys(), { name: 'First steps', mode })).key);
      onChanged();
    });
  const sendFirst = (withKey: string) =>
    run('send', async () => {
      await sendWithKey(baseUrl, withKey);
      onChanged();
    });

  function dismiss() {
    dismissFirstSteps();
    onDone();
  }

  return (
    <section aria-labelledby="first-steps">
      <Card className="grid lg:grid-cols-[minmax(17rem,4fr)_7fr]">
        <div className="flex flex-col gap-5 p-5 sm:p-6">
          <div className="flex items-start justify-between gap-3">
            <div>
              <h2 id="first-steps" className="text-lg font-semibold tracking-[-0.01em]">
                {finished ? 'Your first video' : `Make your first ${mode} video`}
              </h2>
              <p className="mt-1 text-sm text-muted">
                {finished
                  ? 'Next, try other models and sizes, or use your own code.'
                  : mode === 'test'
                    ? 'It is free: it uses test credits and runs in the sandbox on this machine.'
                    : 'The sandbox model below runs on this machine, for $0.01 per second of real credits.'}
              </p>
            </div>
            <Button
              variant="quiet"
              size="icon"
              aria-label="Dismiss the first steps"
              title="Dismiss"
              onClick={dismiss}
              className="-mt-1 -mr-2"
            >
              <X size={16} aria-hidden="true" />
            </Button>
          </div>
          <ol className="flex flex-col gap-5">
            <Step number={1} title="Create a key" done={usable.length > 0}>
              <FormError>{error}</FormError>
              {key ? (
                <div className="flex items-center gap-1 rounded-lg border border-line bg-sunken py-1 pr-1 pl-2.5">
                  <code data-testid="revealed-key" className="min-w-0 flex-1 font-mono text-xs break-all">
                    {key}
                  </code>
                  <CopyButton text={key} label="Copy key" />
                </div>
              ) : mayEdit && !video ? (
                <Button size="small" variant="primary" busy={busy === 'key'} onClick={() => void createKey()}>
                  {busy !== 'key' && <Plus size={13} aria-hidden="true" />} Create a {mode} key
                </Button>
              ) : null}
              {!finished && (
                <p className="mt-1.5 text-xs text-muted">{keySays(key, usable.length, mayEdit ? undefined : mayNot)}</p>
              )}
            </Step>
            <Step number={2} title="Send the request" done={video !== undefined}>
              {video ? (
                <p className="text-xs text-muted">
                  It has arrived as <span className="font-mono break-all">{video.id}</span>.
                </p>
              ) : (
                <>
                  {key && (
                    <Button
                      size="small"
                      variant="primary"
                      busy={busy === 'send'}
                      onClick={() => void sendFirst(key)}
                      className="mb-2"
                    >
                      Send it from here
                    </Button>
                  )}
                  <Waiting
                    message={
                      key
                        ? 'Or paste the snippet into a terminal. Waiting for your first request…'
                        : 'Waiting for your first request…'
                    }
                  />
                </>
              )}
            </Step>
            <Step number={3} title="See the video" done={video?.status === 'completed'}>
              <p className="text-xs text-muted">{watchSays(video)}</p>
            </Step>
          </ol>
          <output className="sr-only">
            {video &&
              (video.status === 'completed' ? 'Your first video is finished.' : 'Your first request has arrived.')}
          </output>
        </div>
        <div className="flex min-w-0 flex-col justify-center border-line bg-canvas p-4 max-lg:border-t sm:p-6 lg:border-l">
          {video ? (
            <FirstVideo video={video} onDone={dismiss} />
          ) : (
            <FirstSnippet baseUrl={baseUrl} mode={mode} {...(key ? { apiKey: key } : {})} />
          )}
        </div>
      </Card>
    </section>
  );
}

function watchSays(video: ShownVideo | undefined): string {
  if (!video) return 'It plays here when it is finished.';
  if (isRunning(video)) return 'A few seconds more…';
  return video.status === 'completed' ? 'Rendered, charged and stored for 30 days.' : 'It failed and was not charged.';
}

/** Returns the hint of the key step. `mayNot` says why the user may not create a key; undefined if they may. */
function keySays(key: string | undefined, usable: number, mayNot: string | undefined): string {
  if (key) return 'Shown only once. It is also in the snippet.';
  if (mayNot) return usable > 0 ? `Your organisation has a key. ${mayNot}` : mayNot;
  if (usable > 0) return `You have ${usable === 1 ? 'one' : usable}. A new one is added to the snippet for you.`;
  return 'It is added to the snippet for you.';
}

function Waiting({ message }: { readonly message: string }) {
  return (
    <p className="flex items-center gap-2 text-xs text-muted">
      <span aria-hidden="true" className="relative grid size-4 shrink-0 place-items-center">
        <span className="absolute size-3.5 animate-ping rounded-full bg-accent/35 motion-reduce:hidden" />
        <span className="size-2 rounded-full bg-accent" />
      </span>
      {message}
    </p>
  );
}

function Step({
  number,
  title,
  done,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly done: boolean;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden="true"
        className={classNames(
          'mt-px grid size-5 shrink-0 place-items-center rounded-full border text-2xs font-semibold tabular-nums',
          done ? 'border-good bg-good text-inverse' : 'border-line-strong text-muted',
        )}
      >
        {done ? <Check size={12} strokeWidth={3} /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <h3 className="mb-1.5 text-sm font-medium">
          {title}
          {done && <span className="sr-only"> (done)</span>}
        </h3>
        {children}
      </div>
    </li>
  );
}

/** Sends the request of the snippet to the public API, with the new key. */
async function sendWithKey(baseUrl: string, key: string): Promise<void> {
  // A relative path, because the console may be opened under another host name than the base URL.
  const response = await fetch(new URL('/v1/videos', baseUrl).pathname, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(firstBody),
  });
  if (response.ok) return;
  const { error } = (await response.json().catch(() => ({}))) as Partial<ErrorJson>; // Safe: our error format; empty if a proxy answered.
  throw new Error(error?.message ?? `The API answered with status ${response.status}.`);
}
