'use client';

import { KeyRound, X } from 'lucide-react';
import { createContext, useContext, useState, type FormEvent, type ReactNode } from 'react';
import type { CreatedKeyJson } from '../../../lib/contract/keys';
import { Button } from '../../console/components/ui/button';
import { CopyButton } from '../../console/components/ui/copy-button';
import { FormDialog } from '../../console/components/ui/form-dialog';
import { PasswordField } from '../../console/components/ui/password-field';
import { useAsyncAction } from '../../console/components/ui/use-async-action';
import { send } from '../../console/console-api';
import { apiPaths } from '../../console/api-paths';
import { fillSample } from './sample-text';

// The key that copied samples contain. It is kept only in the memory of this tab, never in its storage or in the page.

interface SampleKey {
  readonly key: string | undefined;
  choose(key: string | undefined): void;
}

const SampleKeyContext = createContext<SampleKey>({ key: undefined, choose: () => {} });

/** Keeps the chosen key while the reader goes from page to page. */
export function SampleKeyProvider({ children }: { readonly children: ReactNode }) {
  const [key, choose] = useState<string>();
  return <SampleKeyContext value={{ key, choose }}>{children}</SampleKeyContext>;
}

/** Copies a sample, with the chosen key and the base URL of this installation if there is a key. */
export function CopySample({ text }: { readonly text: string }) {
  const { key } = useContext(SampleKeyContext);
  const filled = key === undefined ? text : fillSample(text, { baseUrl: window.location.origin, key });
  return <CopyButton text={filled} label="Copy the code" />;
}

/** Chooses the key for the samples, and shows which one is chosen. */
export function SampleKeyControl() {
  const { key, choose } = useContext(SampleKeyContext);
  const [open, setOpen] = useState(false);
  return (
    <>
      {key === undefined ? (
        <Button variant="quiet" size="small" onClick={() => setOpen(true)}>
          <KeyRound size={14} aria-hidden="true" /> Key for the samples…
        </Button>
      ) : (
        <span className="inline-flex items-center gap-1 text-xs text-muted">
          Copied samples contain the key <code className="font-mono">{shown(key)}</code>
          <Button
            variant="quiet"
            size="icon"
            aria-label="Copy the samples without the key"
            title="Copy the samples without the key"
            onClick={() => choose(undefined)}
          >
            <X size={14} aria-hidden="true" />
          </Button>
        </span>
      )}
      {open && <SampleKeyDialog onChoose={choose} onClose={() => setOpen(false)} />}
    </>
  );
}

function SampleKeyDialog({ onChoose, onClose }: { onChoose(key: string): void; onClose(): void }) {
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const { busy, error, run } = useAsyncAction('The key could not be created. Try again.', 'stay-busy');

  function submit(event: FormEvent) {
    event.preventDefault();
    const key = text.trim();
    if (!KEY.test(key)) {
      setWrong('This key is not complete. A key begins with pb_test_ or pb_live_ and has 44 characters.');
      return;
    }
    onChoose(key);
    onClose();
  }

  function create() {
    void run(async () => {
      const made = await send<CreatedKeyJson>('POST', apiPaths.keys(), { name: 'Samples of the docs', mode: 'test' });
      onChoose(made.key);
      onClose();
    });
  }

  return (
    <FormDialog
      title="Key for the samples"
      description="Samples that you copy contain it, and the base URL of this installation. It stays in this tab until you reload the page."
      error={error}
      submitLabel="Use this key"
      busy={false}
      disabled={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <PasswordField
        label="API key"
        data-first
        autoComplete="off"
        placeholder="pb_test_…"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setWrong(undefined);
        }}
        {...(wrong === undefined ? {} : { error: wrong })}
      />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Button onClick={create} busy={busy}>
          Create a test key
        </Button>
        <span className="text-muted">Free, in the sandbox. You may be asked to sign in.</span>
      </div>
    </FormDialog>
  );
}

/** The format of a key. Only the API can tell whether a key is valid. */
const KEY = /^pb_(?:live|test)_[0-9A-Za-z]{36}$/;

/** Shows enough of the key to recognise it. */
function shown(key: string): string {
  return `${key.slice(0, 8)}••••${key.slice(-4)}`;
}
