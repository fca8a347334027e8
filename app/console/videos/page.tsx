import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { Actor } from '../../../lib/domain/caller';
import type { OrgId } from '../../../lib/domain/ids';
import { isGatewayError } from '../../../lib/domain/errors';
import { parseVideoSearch } from '../../../lib/http/console/videos-endpoints';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { queryOf } from '../components/list/url-filter';
import { parseVideoFilter, searchPath } from './video-filter';
import { VideosView } from './videos-view';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import type { FoundVideoPageJson } from '../../../lib/contract/videos';
import { paths, withQuery } from '../paths';

export const metadata: Metadata = { title: 'Videos' };

export default async function VideosPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.videos(), parameters));
  if (typeof parameters.request === 'string') await leadToVideo(person.orgId, parameters.request.replaceAll('\0', ''));
  const mode = await currentMode(parameters.mode);

  const { accounts, videos, catalog, clock, baseUrl } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const path = searchPath(mode, parseVideoFilter(queryOf(parameters)));
  const [found, keys] = await readQuietly(() => Promise.all([find(path), accounts.listKeys(actor)]));

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <VideosView
          key={mode}
          mode={mode}
          initial={found && { path, found }}
          models={catalog()
            .list()
            .flatMap((model) => (model.capability === 'video' ? [model.id] : []))}
          keys={keys.flatMap((key) => (key.mode === mode ? [{ id: key.id, name: key.name }] : []))}
        />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(path: string): Promise<FoundVideoPageJson | undefined> {
    try {
      const search = parseVideoSearch(new URL(path, baseUrl).searchParams, clock.now());
      return await videos.search({ orgId: person.orgId, mode }, { ...search, favoritesOf: person.userId });
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}

/** Redirects a request id to the page of its video; an unknown id leads to a search without results. */
async function leadToVideo(orgId: OrgId, requestId: string): Promise<never> {
  const { videos } = gateway();
  const found = await readQuietly(() =>
    Promise.all((['live', 'test'] as const).map((mode) => videos.search({ orgId, mode }, { requestId, limit: 2 }))),
  );
  const [video, ...others] = found.flatMap(({ data }) => data);
  redirect(video && others.length === 0 ? paths.video(video.id) : paths.videos({ q: requestId }));
}
