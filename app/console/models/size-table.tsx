import { isRatio, canonicalSize, ratiosAt } from '../../../lib/domain/video-tiers';
import type { VideoFacts } from '../../../lib/domain/video';
import { Section } from '../components/ui/card';
import { ScrollRegion } from '../components/ui/scroll-region';
import { RatioIcon } from '../components/ui/segmented-control';
import { audioWords } from './entry-words';

/** The size in pixels per aspect ratio and resolution, or a note if the media determine it. */
export function SizeTable({ facts }: { readonly facts: VideoFacts }) {
  const ratios = facts.aspectRatios.filter(isRatio);
  const sound = `${audioWords[facts.audio]}. ${facts.fps.min === undefined ? `${facts.fps.default} frames per second.` : `${facts.fps.min} to ${facts.fps.max} frames per second, ${facts.fps.default} by default.`}`;
  if (ratios.length === 0) {
    return (
      <Section
        id="sizes"
        title="Aspect ratios and audio"
        description={`The aspect ratio is that of the ${facts.media.sourceVideo || facts.media.videos ? 'video' : 'image'} that you send. The size sets the resolution. ${sound}`}
      >
        {null}
      </Section>
    );
  }
  return (
    <Section
      id="sizes"
      title="Aspect ratios and audio"
      description={`${sound} Sizes with even numbers near one of these are accepted.${facts.aspectRatios.includes('adaptive') ? ' Without a size the aspect ratio is that of the image.' : ''}`}
    >
      <ScrollRegion labelledBy="sizes" className="rounded-xl border border-line bg-surface">
        <table className="w-full border-collapse text-sm">
          <thead>
            <tr>
              <th scope="col" className="bg-sunken px-4 py-2 text-left text-xs font-medium text-muted">
                Aspect ratio
              </th>
              {facts.resolutions.map((tier) => (
                <th key={tier} scope="col" className="bg-sunken px-3 py-2 text-right text-xs font-medium text-muted">
                  {tier}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ratios.map((ratio) => {
              const [wide = 1, high = 1] = ratio.split(':').map(Number);
              return (
                <tr key={ratio} className="border-t border-line">
                  <th scope="row" className="h-10 px-4 text-left font-medium tabular-nums">
                    <span className="flex items-center gap-3">
                      <span className="grid w-6 place-items-center text-muted">
                        <RatioIcon wide={wide} high={high} />
                      </span>
                      {ratio}
                    </span>
                  </th>
                  {facts.resolutions.map((tier) => (
                    <td key={tier} className="px-3 text-right whitespace-nowrap text-muted tabular-nums">
                      {ratiosAt(facts, tier).includes(ratio) ? canonicalSize(tier, ratio).join(' × ') : '–'}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}
