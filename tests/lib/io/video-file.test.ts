import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { probeVideo } from '../../../lib/io/video-file';

const fixture = path.resolve(import.meta.dirname, '../../providers/sandbox/fixtures/high-profile-2s.mp4');

describe('probeVideo', () => {
  it('reads length, size, rate, sound and profile from the boxes, in memory and on disk', async () => {
    const facts = {
      durationSeconds: 2,
      width: 160,
      height: 90,
      fps: 12,
      hasAudio: true,
      profile: 'high',
      codec: expect.stringMatching(/^avc1\.64/),
    };
    expect(await probeVideo({ path: fixture })).toEqual(facts);
    expect(await probeVideo(new Uint8Array(await readFile(fixture)))).toEqual(facts);
  });

  it('returns nothing for a file that is not a video', async () => {
    expect(await probeVideo(new TextEncoder().encode('no video '.repeat(100)))).toBeUndefined();
    expect(await probeVideo(new Uint8Array(0))).toBeUndefined();
  });

  it('does not open a playlist, which names other files', async () => {
    const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nhttp://127.0.0.1:9/segment.ts\n#EXT-X-ENDLIST\n';
    expect(await probeVideo(new TextEncoder().encode(playlist))).toBeUndefined();
  });

  it('ends for every cut of a file, with facts, without, or with a rejection', async () => {
    const whole = new Uint8Array(await readFile(fixture));
    const outcomes = new Set<string>();
    for (let length = 0; length < whole.length; length += 251) {
      const outcome = await probeVideo(whole.slice(0, length)).then(
        (facts) => (facts ? 'facts' : 'none'),
        () => 'rejected',
      );
      outcomes.add(outcome);
    }
    expect(outcomes).toContain('none');
  });
});
