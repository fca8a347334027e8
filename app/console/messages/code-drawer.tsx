'use client';

import { ClipboardPaste } from 'lucide-react';
import { useId, useState } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';
import { printJson } from '../components/code/print-value';
import { Button } from '../components/ui/button';
import { classNames } from '../components/ui/class-names';
import { CopyButton } from '../components/ui/copy-button';
import { Drawer } from '../components/ui/drawer';
import { FormError } from '../components/ui/field';
import { inputClass } from '../components/ui/input-class';
import type { ShownModel } from './conversation';
import { readRequestText, type ReadRequest } from './read-request';
import type { RequestBody } from './request';
import { isLong, shortBody } from './short-body';
import { newId } from './use-conversation';

/** The next request as runnable code, and the import of a request into the page. */
export function CodeDrawer({
  body,
  problem,
  models,
  mode,
  baseUrl,
  onImport,
  onClose,
}: {
  /** Undefined if there is no request yet; `problem` says why. */
  readonly body: RequestBody | undefined;
  readonly problem: string | undefined;
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly baseUrl: string;
  onImport(read: ReadRequest): void;
  onClose(): void;
}) {
  const isShortened = body !== undefined && isLong(body);
  return (
    <Drawer
      open
      onOpenChange={onClose}
      wide
      title="Code"
      description="The request of the page as code that you can run."
    >
      <div className="flex flex-col gap-5">
        {body ? (
          <>
            <CodeTabs
              label="Request"
              samples={codeSamples({ baseUrl, method: 'POST', path: '/v1/messages', body: shortBody(body), mode })}
              mode={mode}
              {...(isShortened && { note: <p>Images are shortened here. “Copy as JSON” contains them in full.</p> })}
            />
            <div>
              <CopyButton visible variant="secondary" text={printJson(body)} label="Copy as JSON" />
            </div>
          </>
        ) : (
          <FormError>{problem}</FormError>
        )}
        <PasteRequest models={models} onImport={onImport} />
      </div>
    </Drawer>
  );
}

function PasteRequest({
  models,
  onImport,
}: {
  readonly models: readonly ShownModel[];
  onImport(read: ReadRequest): void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();

  function read() {
    try {
      onImport(readRequestText(text, models, newId));
    } catch (error) {
      setError(error instanceof Error ? error.message : 'This request could not be read.');
    }
  }

  return (
    <div className="flex flex-col gap-2 border-t border-line pt-5">
      <label htmlFor={id} className="text-sm font-medium">
        Paste a request
      </label>
      <textarea
        id={id}
        rows={5}
        value={text}
        spellCheck={false}
        placeholder={'{ "model": "sandbox-text", "max_tokens": 100, "messages": […] }'}
        onChange={(event) => {
          setText(event.target.value);
          setError(undefined);
        }}
        className={classNames(inputClass, 'h-auto max-h-60 py-2 font-mono text-xs leading-5 max-sm:h-auto')}
      />
      <FormError>{error}</FormError>
      <p className="text-xs text-muted">The JSON body of a request. It replaces the conversation of this page.</p>
      <div>
        <Button disabled={text.trim() === ''} onClick={read}>
          <ClipboardPaste size={14} aria-hidden="true" /> Open the request
        </Button>
      </div>
    </div>
  );
}
