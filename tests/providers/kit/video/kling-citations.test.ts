import { expect, it } from 'vitest';
import { cite, citeInLegacyWords } from '../../../../lib/providers/kit/video/kling-citations';

it('cites references in the words of the legacy generation, whichever words the prompt has', () => {
  expect(citeInLegacyWords('@img1 meets @image_2 in @vid1 and <<<image_3>>> in <<<video_2>>>')).toBe(
    '<<<image_1>>> meets <<<image_2>>> in <<<video_1>>> and <<<image_3>>> in <<<video_2>>>',
  );
});

it('leaves other words as they are', () => {
  const prompt = 'mail@image.com, @img, @imgs1 and <<<image>>>';
  expect(cite(prompt, { image: () => 'image', video: () => 'video' })).toBe(prompt);
});
