import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import type { Catalog } from '../../../../lib/catalog/catalog';
import { presentCatalogEntry } from '../../../../lib/catalog/present-entry';
import type { Model } from '../../../../lib/domain/model';
import type { ProviderId } from '../../../../lib/domain/ids';
import { gateway } from '../../../../lib/runtime';
import { HISTORY_DAYS } from '../../../../lib/usage/usage';
import { requirePerson } from '../../components/auth/current-person';
import { LanguageSection } from '../language-section';
import { LifecycleBanner } from '../lifecycle-banner';
import { ModelFacts } from '../model-facts';
import { ModelHead } from '../model-head';
import { ParametersTable } from '../parameters-table';
import { ProvidersSection } from '../providers-section';
import { TokenPrices } from '../token-prices';
import { readSearchParams, type SearchParams } from '../read-search-params';
import { firstResult } from '../workbench-result';
import type { VideoWorkbenchProps } from '../video-workbench';
import { ListenWorkbench, MessagesWorkbench, SpeakWorkbench, VideoWorkbench } from '../workbenches';
import { shownModelOf } from '../../components/video-form/shown-model';
import { currentMode } from '../../components/shell/current-mode';
import { readQuietly } from '../../components/shell/read-quietly';
import { Shell } from '../../components/shell/shell';
import { paths, withQuery } from '../../paths';

interface ModelPageProps {
  readonly params: Promise<{ readonly id: readonly string[] }>;
  readonly searchParams: Promise<SearchParams>;
}

export async function generateMetadata({ params }: ModelPageProps): Promise<Metadata> {
  const found = findModel(gateway().catalog(), await params);
  return { title: found ? found.model.name : 'Models' };
}

export default async function ModelPage({ params, searchParams }: ModelPageProps) {
  const route = await params;
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.model(nameOf(route)), query));
  const { baseUrl, catalogOf, usage, videos } = gateway();
  const catalog = await readQuietly(() => catalogOf({ orgId: person.orgId, mode: 'live' }));
  const found = findModel(catalog, route);
  if (!found) notFound();
  const { model, pin } = found;
  // An alias redirects to its model, so that each page has one URL.
  if (pin === undefined && nameOf(route) !== model.id) redirect(withQuery(paths.model(model.id), query));

  const mode = await currentMode(query.mode);
  const history = await readQuietly(() => usage.history({ orgId: person.orgId, mode }, model.id));
  const entry = presentCatalogEntry(catalog, model);
  const offered = entry.providers.filter(({ available }) => available).map(({ id }) => id);
  const availability = model.bindings.map((binding) => ({
    available: catalog.available(model, binding),
    implemented: catalog.isImplemented(model, binding),
    sold: catalog.isSold(model, binding),
  }));
  const replacements = (model.replacements ?? []).flatMap((id) => catalog.find(id) ?? []);
  const bench = { offered, pin, mode, baseUrl };
  const { publishesMedia } = videos;
  return (
    <Shell person={person}>
      <div className="flex flex-col gap-9">
        <ModelHead entry={entry} />
        <LifecycleBanner model={model} active={entry.active} replacements={replacements} />
        <ModelFacts model={model} />
        {model.capability === 'video' && (
          <>
            <VideoSettings
              shown={{ ...shownModelOf(catalog, model, publishesMedia), implemented: true }}
              mode={mode}
              baseUrl={baseUrl}
              pin={pin}
              active={entry.active}
              query={readSearchParams(query)}
            />
            <ParametersTable model={model} />
          </>
        )}
        {model.capability === 'messages' && (
          <>
            {entry.active && <MessagesWorkbench model={model} {...bench} />}
            <TokenPrices model={model} />
          </>
        )}
        {model.capability === 'stt' && entry.active && <ListenWorkbench model={model} {...bench} />}
        {model.capability === 'tts' && entry.active && <SpeakWorkbench model={model} {...bench} />}
        <ProvidersSection
          model={model}
          active={entry.active}
          availability={availability}
          publishesMedia={publishesMedia}
          history={history}
          mode={mode}
          days={HISTORY_DAYS}
        />
        {(model.capability === 'stt' || model.capability === 'tts') && <LanguageSection model={model} />}
      </div>
    </Shell>
  );
}

/** Price and code of a video model, with the settings of the URL. */
function VideoSettings({ query, ...bench }: Omit<VideoWorkbenchProps, 'first'> & { readonly query: URLSearchParams }) {
  return <VideoWorkbench {...bench} first={firstResult(bench, query, bench.pin)} />;
}

function nameOf({ id }: { readonly id: readonly string[] }): string {
  try {
    return id.map(decodeURIComponent).join('/');
  } catch {
    // An incomplete escape sequence matches no model.
    return id.join('/');
  }
}

/** Finds a model by id, by alias, or as `<provider>/<model>`, which preselects the provider. */
function findModel(
  catalog: Catalog,
  route: { readonly id: readonly string[] },
): { readonly model: Model; readonly pin?: ProviderId } | undefined {
  const name = nameOf(route);
  const whole = catalog.find(name);
  if (whole) return { model: whole };
  const slash = name.indexOf('/');
  const model = slash < 0 ? undefined : catalog.find(name.slice(slash + 1));
  const pin = name.slice(0, slash);
  return model && catalog.bindings(model, pin).length > 0 ? { model, pin } : undefined;
}
