'use client';

import { Ban, CircleCheck, CircleDashed, CircleX, Download, ExternalLink, LoaderCircle, Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button, buttonClass } from '../_ui/button';
import { Card, Section } from '../_ui/card';
import { Chip } from '../_ui/chip';
import { CopyButton } from '../_ui/copy-button';
import { usdFromNumber } from '../_ui/money';
import { Cell, Row, Table, type Column } from '../_ui/table';
import { TimeAgo } from '../_ui/time-ago';
import { isRunning, videoSource, type ShownVideo } from './shown-video';

const VideoDialog = dynamic(() => import('./video-dialog').then((module) => module.VideoDialog));

const COLUMNS: readonly Column[] = [
  { title: 'Status' },
  { title: 'Video' },
  { title: 'Length', align: 'right' },
  { title: 'Size', align: 'right' },
  { title: 'Cost', align: 'right' },
  { title: 'Created', align: 'right' },
  { title: 'Play or download', hidden: true, align: 'right' },
];

export function VideosSection({ videos }: { readonly videos: readonly ShownVideo[] }) {
  const [playing, setPlaying] = useState<ShownVideo>();
  return (
    <Section id="videos" title="Recent videos">
      <Card>
        <Table label="Recent videos" columns={COLUMNS}>
          {videos.map((video) => (
            <VideoRow key={video.id} video={video} onPlay={() => setPlaying(video)} />
          ))}
        </Table>
      </Card>
      {playing && <VideoDialog video={playing} onClose={() => setPlaying(undefined)} />}
    </Section>
  );
}

function VideoRow({ video, onPlay }: { readonly video: ShownVideo; onPlay(): void }) {
  return (
    <Row>
      <Cell className="max-lg:order-1 lg:w-36">
        <VideoStatusChip status={video.status} />
      </Cell>
      <Cell full className="lg:w-full lg:max-w-0">
        <div className="flex min-w-0 items-center gap-1">
          <div className="min-w-0">
            <div className="truncate font-medium">{video.model}</div>
            <div className="truncate font-mono text-xs text-muted">{video.id}</div>
          </div>
          <CopyButton text={video.id} label={`Copy the id of ${video.id}`} />
        </div>
        {video.error && <p className="mt-1 text-xs text-bad lg:truncate" title={video.error.message}>{video.error.message}</p>}
      </Cell>
      <Cell name="Length" align="right" className="max-lg:order-3 whitespace-nowrap tabular-nums">
        {video.seconds} s
      </Cell>
      <Cell name="Size" align="right" className="max-lg:order-4 whitespace-nowrap tabular-nums">
        {video.size.replace('x', ' × ')}
      </Cell>
      <Cell name="Cost" align="right" className="max-lg:order-5 whitespace-nowrap tabular-nums">
        <Cost video={video} />
      </Cell>
      <Cell align="right" className="self-center text-muted max-lg:order-2">
        <TimeAgo at={video.created_at} />
      </Cell>
      <Cell align="right" className="self-end max-lg:order-6 max-lg:-ml-3 lg:w-24">
        {video.status === 'completed' && <Watch video={video} onPlay={onPlay} />}
      </Cell>
    </Row>
  );
}

const STATUSES = {
  queued: { tone: 'neutral', icon: CircleDashed, word: 'Queued' },
  in_progress: { tone: 'info', icon: LoaderCircle, word: 'In progress' },
  completed: { tone: 'good', icon: CircleCheck, word: 'Completed' },
  failed: { tone: 'bad', icon: CircleX, word: 'Failed' },
} as const;

function VideoStatusChip({ status }: { readonly status: ShownVideo['status'] }) {
  const { tone, icon, word } = STATUSES[status];
  return (
    <Chip tone={tone} icon={icon} spin={status === 'in_progress'}>
      {word}
    </Chip>
  );
}

function Cost({ video }: { readonly video: ShownVideo }) {
  if (video.status === 'failed') {
    return (
      <Chip tone="good" icon={Ban}>
        Not charged
      </Chip>
    );
  }
  return (
    <span title={isRunning(video) ? 'Held until the video is finished; given back if it fails' : undefined}>
      {usdFromNumber(video.cost)}
      {isRunning(video) && <span className="text-muted"> held</span>}
    </span>
  );
}

function Watch({ video, onPlay }: { readonly video: ShownVideo; onPlay(): void }) {
  const source = videoSource(video);
  if (!source) return null;
  // Another site's file is opened there: the console loads nothing from elsewhere.
  if (!source.own) {
    return (
      <a href={source.href} target="_blank" rel="noreferrer" className={buttonClass({ size: 'small' })}>
        <ExternalLink size={13} aria-hidden="true" /> Open<span className="sr-only"> {video.id} at the provider</span>
      </a>
    );
  }
  return (
    <span className="inline-flex items-center gap-1">
      <Button look="quiet" size="icon" onClick={onPlay} aria-label={`Play ${video.id}`} title="Play">
        <Play size={15} aria-hidden="true" />
      </Button>
      <a href={source.href} download={`${video.id}.mp4`} aria-label={`Download ${video.id}`} title="Download" className={buttonClass({ look: 'quiet', size: 'icon' })}>
        <Download size={15} aria-hidden="true" />
      </a>
    </span>
  );
}
