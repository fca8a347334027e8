import { expect, it } from 'vitest';
import { googleAiStudio } from '../../../lib/providers/google-ai-studio/index';
import { pngBytes } from '../../support/media-bytes';
import { KEY, startFakeGoogleAiStudio } from '../../support/upstreams/fake-google-ai-studio';
import type { FakeVideoVendor } from '../../support/upstreams/fake-video-vendor';
import { submit, type SharedSubject, type VendorContract } from '../support/vendor-subject';

// What the two ways of the Gemini API to make videos have in common.

export const geminiContract = {
  definition: googleAiStudio,
  startVendor: startFakeGoogleAiStudio,
  settings: ({ baseUrl }) => ({
    GOOGLE_AI_STUDIO_API_KEY: KEY,
    GOOGLE_AI_STUDIO_BASE_URL: `${baseUrl}/v1beta`,
  }),
  order: { seconds: 8, audio: true },
  reference: 'permanent',
} satisfies Partial<VendorContract>;

/** Images that the API would refuse are refused before anything is sent. */
export function inlineImagesContract(subject: SharedSubject<FakeVideoVendor>, contract: VendorContract): void {
  it.each([
    ['a picture of more than 20 MB', pngBytes(20 * 1024 * 1024 + 1), 'media_too_large'],
    ['a file that is no picture', Buffer.from('just a text, and not a picture'), 'media_invalid'],
  ])('is not ordered with %s', async (_title, bytes, code) => {
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const { error, bodies, submits } = await submit(subject, contract, {
      kind: 'i2v',
      media: [{ role: 'first_frame', url }],
    });
    expect(error).toMatchObject({ code, extra: { upstream: { retry: 'never', started: 'no' } } });
    expect([bodies, submits]).toEqual([[], []]);
  });
}
