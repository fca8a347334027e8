'use client';

import { useMemo } from 'react';
import type { Mode } from '../../../lib/domain/video';
import { codeSamples } from '../components/code/code-samples';
import { CodeTabs } from '../components/code/code-tabs';
import { PasteRequest } from '../components/code/paste-request';
import { printJson } from '../components/code/print-value';
import { CopyButton } from '../components/ui/copy-button';
import { Drawer } from '../components/ui/drawer';
import { Switch } from '../components/ui/switch';
import type { VideoForm, ShownModel } from '../components/video-form/form';
import { requestOf, shortMediaUrl } from '../components/video-form/form-request';
import { importText, type Imported } from '../components/video-form/import-request';

export interface CodeDrawerProps {
  readonly form: VideoForm;
  readonly shown: ShownModel;
  readonly models: readonly ShownModel[];
  readonly mode: Mode;
  readonly baseUrl: string;
  readonly withDefaults: boolean;
  onWithDefaults(on: boolean): void;
  onImport(imported: Imported): void;
  onClose(): void;
}

/** The form as runnable code, and the import of a request into the form. */
export function CodeDrawer({
  form,
  shown,
  models,
  mode,
  baseUrl,
  withDefaults,
  onWithDefaults,
  onImport,
  onClose,
}: CodeDrawerProps) {
  const defaults = withDefaults ? 'all' : 'none';
  const body = useMemo(() => requestOf(form, shown.model, { defaults }), [form, shown, defaults]);
  const isLong = fileChars(form) > MAX_SHOWN_CHARS;
  const samples = useMemo(() => {
    const shownBody = isLong ? requestOf(form, shown.model, { defaults, urlOf: shortMediaUrl }) : body;
    return codeSamples({ baseUrl, method: 'POST', path: '/v1/videos', body: shownBody, mode });
  }, [baseUrl, body, mode, form, shown, defaults, isLong]);
  return (
    <Drawer
      open
      onOpenChange={onClose}
      wide
      title="Code"
      description="The request of the form as code that you can run."
    >
      <div className="flex flex-col gap-5">
        <Switch
          label="Include defaults"
          description="Include defaults explicitly so that later changes to them do not affect you."
          checked={withDefaults}
          onChange={onWithDefaults}
        />
        <CodeTabs
          label="Request"
          samples={samples}
          mode={mode}
          {...(isLong && { note: <p>Files are shortened here. “Copy as JSON” contains them in full.</p> })}
        />
        <div className="flex flex-wrap gap-2">
          <CopyButton visible variant="secondary" text={printJson(body)} label="Copy as JSON" />
        </div>
        <PasteRequest
          placeholder={'{ "model": "sandbox-t2v", "prompt": "…", "seconds": 8 }'}
          hint="The JSON body of a request to this API or a similar one. The form uses the fields that the model supports and lists the others."
          action="Fill the form"
          onRead={(text) => onImport(importText(text, models, shown))}
        />
      </div>
    </Drawer>
  );
}

/** Longer code slows the page down, so files are shortened. */
const MAX_SHOWN_CHARS = 50_000;

function fileChars({ images, videos, source }: VideoForm): number {
  return [...images, ...videos, source].reduce(
    (sum, piece) => sum + (piece?.kind === 'file' ? piece.dataUrl.length : 0),
    0,
  );
}
