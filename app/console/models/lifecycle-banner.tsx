import { Archive, Hourglass } from 'lucide-react';
import Link from 'next/link';
import type { Model, VideoModel } from '../../../lib/domain/model';
import { ScrollRegion } from '../components/ui/scroll-region';
import { frameOf, type VideoForm } from '../components/video-form/form';
import { requestOf } from '../components/video-form/form-request';
import { switchModel } from '../components/video-form/switch-model';
import { paths } from '../paths';
import { dayWords } from './entry-words';
import { sampleForm, withSampleMedia } from './sample-form';

/** Shows the deprecation or retirement of a model with its date and replacements. Renders nothing for other models. */
export function LifecycleBanner({
  model,
  active,
  replacements,
}: {
  readonly model: Model;
  readonly active: boolean;
  readonly replacements: readonly Model[];
}) {
  const { deprecatedAt, deactivatedAt } = model;
  if (active && deprecatedAt === undefined && deactivatedAt === undefined) return null;
  const [best] = replacements;
  const Icon = active ? Hourglass : Archive;
  return (
    <section
      aria-label="Lifecycle"
      className={`rounded-xl border p-5 text-sm ${active ? 'border-warn/35 bg-warn/8' : 'border-bad/30 bg-bad/6'}`}
    >
      <div className="flex items-start gap-3">
        <Icon size={17} aria-hidden="true" className={`mt-0.5 shrink-0 ${active ? 'text-warn' : 'text-bad'}`} />
        <div className="min-w-0">
          <p className="font-medium">
            {!active &&
              `Retired on ${dayWords(deactivatedAt ?? '')}. Requests for it get a 404 that names its replacements.`}
            {active && deprecatedAt !== undefined && `Deprecated since ${dayWords(deprecatedAt)}. `}
            {active &&
              deactivatedAt !== undefined &&
              `It will be retired on ${dayWords(deactivatedAt)}. It works until then.`}
          </p>
          {replacements.length > 0 && (
            <p className="mt-1 text-muted">
              Use instead:{' '}
              {replacements.map((replacement, index) => (
                <span key={replacement.id}>
                  {index > 0 && ', '}
                  <Link
                    href={paths.model(replacement.id)}
                    prefetch={false}
                    className="text-ink underline decoration-line-strong underline-offset-4 hover:decoration-current"
                  >
                    {replacement.name}
                  </Link>
                </span>
              ))}
            </p>
          )}
        </div>
      </div>
      {best?.capability === 'video' && model.capability === 'video' && <Migration from={model} to={best} />}
    </section>
  );
}

/** Shows which fields of a basic request must change. */
function Migration({ from, to }: { readonly from: VideoModel; readonly to: VideoModel }) {
  const form = sampleForm(from);
  const { seconds, resolution, ratio } = frameOf(form, from.video);
  // The length and size are explicit, so that the replacement keeps them if it can.
  const explicit: VideoForm = { ...form, ...(seconds !== undefined && { seconds }), resolution, ratio };
  const switched = withSampleMedia(switchModel(explicit, from, to).form, to, form.videos.length > 0);
  const before = requestOf(form, from, { defaults: 'frame' });
  const after = requestOf(switched, to, { defaults: 'frame' });
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => name !== 'prompt');
  return (
    <figure className="mt-4">
      <figcaption className="mb-1.5 text-xs text-muted">What changes in a request</figcaption>
      <ScrollRegion label="What changes in a request" className="rounded-lg border border-line bg-surface">
        <pre className="w-max min-w-full px-3.5 py-3 font-mono text-xs leading-5">
          {names.map((name) => {
            const [old, next] = [JSON.stringify(before[name]), JSON.stringify(after[name])];
            if (old === next) {
              return (
                <span key={name} className="block text-muted">
                  {`  "${name}": ${next}`}
                </span>
              );
            }
            return (
              <span key={name}>
                {old !== undefined && <del className="block text-bad no-underline">{`- "${name}": ${old}`}</del>}
                {next !== undefined && <ins className="block text-good no-underline">{`+ "${name}": ${next}`}</ins>}
              </span>
            );
          })}
        </pre>
      </ScrollRegion>
    </figure>
  );
}
