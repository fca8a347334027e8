'use client';

import { Ban, Download, Play, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button, buttonClass } from '../components/ui/button';
import { notify } from '../components/ui/notices';
import { isRunning, videoSource } from '../components/video/shown-video';
import { send } from '../console-api';
import { apiPaths, paths } from '../paths';
import type { ShownJob } from './shown-job';

const DeleteVideoDialog = dynamic(() =>
  import('../components/video/delete-video-dialog').then((module) => module.DeleteVideoDialog),
);

/** `onChanged` is called when the job is another than before; `onFault` with a sentence about what could not be done. */
export function JobActions({
  job,
  mayEdit,
  onChanged,
  onFault,
}: {
  readonly job: ShownJob;
  readonly mayEdit: boolean;
  onChanged(): Promise<unknown>;
  onFault(says: string | undefined): void;
}) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const source = job.status === 'completed' ? videoSource(job) : undefined;

  async function cancel() {
    setBusy(true);
    onFault(undefined);
    try {
      await send('POST', apiPaths.cancelVideo(job.id));
    } catch (error) {
      onFault(error instanceof Error ? error.message : 'The job could not be cancelled. Try again.');
    }
    await onChanged();
    setBusy(false);
  }

  return (
    <div className="flex flex-wrap gap-2">
      {source?.own && (
        <a href={source.href} download={`${job.id}.mp4`} className={buttonClass({})}>
          <Download size={15} aria-hidden="true" /> Download
        </a>
      )}
      {mayEdit && job.request !== undefined && (
        <Link href={paths.playground({ from: job.id })} prefetch={false} className={buttonClass({})}>
          <Play size={15} aria-hidden="true" /> Open in playground
        </Link>
      )}
      {mayEdit && isRunning(job) && (
        <Button
          busy={busy}
          disabled={!job.cancellable}
          title={
            job.cancellable
              ? 'Stops it; nothing is charged'
              : 'The provider of this job cannot stop it once it has begun'
          }
          onClick={() => void cancel()}
        >
          {!busy && <Ban size={15} aria-hidden="true" />} Cancel
        </Button>
      )}
      {mayEdit && !isRunning(job) && (
        <Button onClick={() => setDeleting(true)}>
          <Trash2 size={15} aria-hidden="true" /> Delete…
        </Button>
      )}
      {deleting && (
        <DeleteVideoDialog
          id={job.id}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            notify('The job was deleted.');
            router.push(paths.jobs({ mode: job.mode }));
          }}
        />
      )}
    </div>
  );
}
