'use client';

import { Ban, Download, Play, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '../components/ui/button';
import { buttonClass } from '../components/ui/button-class';
import { toast } from '../components/ui/toast';
import { isRunning, videoSource } from '../components/video/shown-video';
import { send } from '../console-api';
import { apiPaths } from '../api-paths';
import { paths } from '../paths';
import type { VideoDetails } from '../../../lib/contract/videos';
import { onDemand } from '../components/ui/on-demand';

const DeleteVideoDialog = onDemand(() =>
  import('../components/video/delete-video-dialog').then((module) => module.DeleteVideoDialog),
);

/** The actions for a video. `onChanged` is called after a change, `onError` with an error message. */
export function VideoActions({
  video,
  mayEdit,
  onChanged,
  onError,
}: {
  readonly video: VideoDetails;
  readonly mayEdit: boolean;
  onChanged(): Promise<unknown>;
  onError(message: string | undefined): void;
}) {
  const router = useRouter();
  const [busy, setBusy] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const source = video.status === 'completed' ? videoSource(video) : undefined;

  async function cancel() {
    setBusy(true);
    onError(undefined);
    try {
      await send('POST', apiPaths.cancelVideo(video.id));
    } catch (error) {
      onError(error instanceof Error ? error.message : 'The video could not be cancelled. Try again.');
    }
    await onChanged();
    setBusy(false);
  }

  return (
    <div className="flex flex-wrap gap-2">
      {source?.own && (
        <a href={source.href} download={`${video.id}.mp4`} className={buttonClass({})}>
          <Download size={15} aria-hidden="true" /> Download
        </a>
      )}
      {mayEdit && video.request !== undefined && (
        <Link href={paths.playground({ from: video.id })} prefetch={false} className={buttonClass({})}>
          <Play size={15} aria-hidden="true" /> Open in playground
        </Link>
      )}
      {mayEdit && isRunning(video) && (
        <Button
          busy={busy}
          disabled={!video.cancellable}
          title={
            video.cancellable
              ? 'Stops the video. Nothing is charged.'
              : 'The provider cannot stop a video that it has started.'
          }
          onClick={() => void cancel()}
        >
          {!busy && <Ban size={15} aria-hidden="true" />} Cancel
        </Button>
      )}
      {mayEdit && !isRunning(video) && (
        <Button onClick={() => setDeleting(true)}>
          <Trash2 size={15} aria-hidden="true" /> Delete…
        </Button>
      )}
      {deleting && (
        <DeleteVideoDialog
          id={video.id}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            toast('The video was deleted.');
            router.push(paths.videos({ mode: video.mode }));
          }}
        />
      )}
    </div>
  );
}
