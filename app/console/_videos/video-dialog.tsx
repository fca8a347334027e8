'use client';

import { Download } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { buttonClass } from '../_ui/button';
import { CopyButton } from '../_ui/copy-button';
import { Dialog, DialogBody, DialogFooter } from '../_ui/dialog';
import { usdFromNumber } from '../_ui/money';
import { TimeAgo } from '../_ui/time-ago';
import { videoSource, type ShownVideo } from './shown-video';

export function VideoDialog({ video, onClose }: { readonly video: ShownVideo; onClose(): void }) {
  const [broken, setBroken] = useState(false);
  const source = videoSource(video);
  if (!source) return null;
  const [width, height] = video.size.split('x');
  return (
    <Dialog open onOpenChange={onClose} title={video.model} wide>
      <DialogBody>
        {broken ? (
          <p role="alert" className="rounded-lg border border-line bg-sunken px-4 py-10 text-center text-sm text-muted">
            The file could not be played. It may have expired; try to download it.
          </p>
        ) : (
          // The stage has the shape of the video before its first byte is here; a tall one does not push the buttons away.
          <video
            src={source.href}
            controls
            // Silent until somebody asks for the sound: it would come out of nowhere.
            muted
            autoPlay
            loop
            playsInline
            onError={() => setBroken(true)}
            style={{ aspectRatio: `${width} / ${height}` }}
            className="mx-auto max-h-[52dvh] w-full rounded-lg bg-black object-contain"
          />
        )}
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-4">
          <Fact name="Length">{video.duration_seconds ?? video.seconds} s</Fact>
          <Fact name="Size">
            {width} × {height}
            {video.fps !== undefined && <span className="text-muted"> · {video.fps} fps</span>}
          </Fact>
          <Fact name="Charged">{usdFromNumber(video.cost)}</Fact>
          {video.expires_at !== undefined && (
            <Fact name="Expires">
              <TimeAgo at={video.expires_at} />
            </Fact>
          )}
        </dl>
        <div className="flex min-w-0 items-center gap-1 text-xs">
          <code className="truncate font-mono text-muted">{video.id}</code>
          <CopyButton text={video.id} label="Copy the id" />
        </div>
      </DialogBody>
      <DialogFooter>
        <a href={source.href} download={`${video.id}.mp4`} className={buttonClass({ look: 'primary' })}>
          <Download size={15} aria-hidden="true" /> Download MP4
        </a>
      </DialogFooter>
    </Dialog>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-muted">{name}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  );
}
