'use client';

import { useRef, useState, type FormEvent } from 'react';
import { ApiError } from '../../../lib/client/errors';
import type { EndpointJson } from '../../../lib/contract/webhooks';
import type { Mode } from '../../../lib/domain/video';
import { FormDialog } from '../components/ui/form-dialog';
import { TextField } from '../components/ui/field';
import { Switch } from '../components/ui/switch';
import { toast } from '../components/ui/toast';
import { useAsyncAction } from '../components/ui/use-async-action';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';

/** Adds an endpoint, or changes one. */
export function EndpointDialog({
  mode,
  of: endpoint,
  onSaved,
  onClose,
}: {
  readonly mode: Mode;
  readonly of: EndpointJson | undefined;
  onSaved(): Promise<unknown>;
  onClose(): void;
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [description, setDescription] = useState(endpoint?.description ?? '');
  const [events, setEvents] = useState<EndpointJson['events']>(endpoint?.events ?? ['video.completed', 'video.failed']);
  const urlInput = useRef<HTMLInputElement>(null);
  const [isOfUrl, setIsOfUrl] = useState(false);
  const { busy, error, run, clear } = useAsyncAction('The endpoint could not be saved. Try again.', 'stay-busy');
  const toggle = (event: EndpointJson['events'][number]) => (wanted: boolean) =>
    setEvents(wanted ? [...events, event] : events.filter((each) => each !== event));

  function submit(form: FormEvent) {
    form.preventDefault();
    const body = { url: url.trim(), description: description.trim(), events };
    setIsOfUrl(false);
    void run(async () => {
      try {
        if (endpoint) await send('PATCH', apiPaths.webhookEndpoint(endpoint.id), body);
        else await send('POST', apiPaths.webhookEndpoints(mode), body);
      } catch (thrown) {
        if (thrown instanceof ApiError && thrown.param === 'url') {
          setIsOfUrl(true);
          urlInput.current?.focus();
        }
        throw thrown;
      }
      await onSaved();
      toast(endpoint ? 'The endpoint was changed.' : 'The endpoint was added. Its signing secret is in its menu.');
      onClose();
    });
  }

  return (
    <FormDialog
      title={endpoint ? 'Change the endpoint' : `Add a ${mode} endpoint`}
      description="It receives the finished videos of this organisation, in this mode, with an HTTP POST."
      error={isOfUrl ? undefined : error}
      submitLabel={endpoint ? 'Save' : 'Add endpoint'}
      busy={busy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="URL"
        type="url"
        placeholder="https://example.com/webhooks"
        autoComplete="off"
        required
        data-first
        ref={urlInput}
        value={url}
        onChange={(event) => {
          setUrl(event.target.value);
          if (isOfUrl) clear();
        }}
        // The next submission may be refused by the browser itself, so the error of the API is cleared.
        onInvalid={clear}
        // Replaces the name of the API parameter with the label of the field.
        error={isOfUrl ? error?.replace(/^url /, 'The URL ') : undefined}
      />
      <TextField
        label="Description"
        hint="For your team; it is not sent."
        autoComplete="off"
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <div>
        <Switch
          label="Completed videos"
          description="video.completed"
          checked={events.includes('video.completed')}
          onChange={toggle('video.completed')}
        />
        <Switch
          label="Failed videos"
          description="video.failed"
          checked={events.includes('video.failed')}
          onChange={toggle('video.failed')}
        />
      </div>
    </FormDialog>
  );
}
