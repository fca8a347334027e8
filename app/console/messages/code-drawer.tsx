'use client';

import type { Mode } from '../../../lib/domain/video';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';
import { PasteRequest } from '../components/code/paste-request';
import { printJson } from '../components/code/print-value';
import { CopyButton } from '../components/ui/copy-button';
import { Drawer } from '../components/ui/drawer';
import { FormError } from '../components/ui/field';
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
        <PasteRequest
          placeholder={'{ "model": "sandbox-text", "max_tokens": 100, "messages": […] }'}
          hint="The JSON body of a request. It replaces the conversation of this page."
          action="Open the request"
          onRead={(text) => onImport(readRequestText(text, models, newId))}
        />
      </div>
    </Drawer>
  );
}
