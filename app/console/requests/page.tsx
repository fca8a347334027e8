import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import type { RequestPageJson } from '../../../lib/contract/requests';
import type { Actor } from '../../../lib/domain/caller';
import { isGatewayError } from '../../../lib/domain/errors';
import type { OrgId } from '../../../lib/domain/ids';
import { parseRequestSearch } from '../../../lib/http/console/requests-endpoints';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { providerIds } from '../components/list/provider-ids';
import { queryOf } from '../components/list/url-filter';
import { requestPath } from '../components/request/request-path';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';
import { parseRequestFilter, requestsPath } from './request-filter';
import { RequestsView } from './requests-view';

export const metadata: Metadata = { title: 'Requests' };

export default async function RequestsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.requests(), parameters));
  if (typeof parameters.request === 'string')
    await leadToRequest(person.orgId, parameters.request.replaceAll('\0', ''));
  const mode = await currentMode(parameters.mode);

  const { accounts, requests, catalog, clock, baseUrl } = gateway();
  const actor: Actor = { orgId: person.orgId, role: person.role, userId: person.userId };
  const path = requestsPath(mode, parseRequestFilter(queryOf(parameters)));
  const [found, keys] = await readQuietly(() => Promise.all([find(path), accounts.listKeys(actor)]));
  const models = catalog().list();

  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <RequestsView
          key={mode}
          mode={mode}
          initial={found && { path, found }}
          models={models.map(({ id }) => id)}
          providers={providerIds(models)}
          keys={keys.flatMap((key) => (key.mode === mode ? [{ id: key.id, name: key.name }] : []))}
        />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<RequestPageJson | undefined> {
    try {
      const search = parseRequestSearch(new URL(wanted, baseUrl).searchParams, clock.now());
      return await requests.list({ orgId: person.orgId, mode }, search);
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}

/** Redirects a request id to the page of its request; an unknown id leads to a search without results. */
async function leadToRequest(orgId: OrgId, requestId: string): Promise<never> {
  const { requests } = gateway();
  const found = await readQuietly(() =>
    Promise.all(
      (['live', 'test'] as const).map((mode) => requests.list({ orgId, mode }, { search: requestId, limit: 2 })),
    ),
  );
  const [request, ...others] = found.flatMap(({ data }) => data);
  redirect(request && others.length === 0 ? requestPath(request, request.mode) : paths.requests({ q: requestId }));
}
