import { describe, expect, it } from 'vitest';
import { playableAt, type GalleryVideo } from '../../app/console/playground/gallery-video';

const NOW_MS = 1_795_500_000_000;

/** `inSeconds`: until its file is deleted. */
function videoThat(status: GalleryVideo['status'], inSeconds: number): GalleryVideo {
  return {
    id: 'video_1',
    object: 'video',
    model: 'sandbox-t2v',
    status,
    progress: 100,
    created_at: NOW_MS / 1000 - 60,
    seconds: '5',
    size: '1280x720',
    cost: 0.05,
    mode: 'test',
    video_url: 'https://files.example/video.mp4',
    expires_at: NOW_MS / 1000 + inSeconds,
  } as GalleryVideo;
}

describe('a finished file', () => {
  it('has a URL until it is deleted', () => {
    expect(playableAt(videoThat('completed', 1), 'test', NOW_MS)).toContain('video_1');
    expect(playableAt(videoThat('completed', 0), 'test', NOW_MS)).toBeUndefined();
    expect(playableAt(videoThat('in_progress', 1), 'test', NOW_MS)).toBeUndefined();
  });
});
