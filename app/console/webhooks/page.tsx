import type { Metadata } from 'next';
import type { DeliveryPageJson } from '../../../lib/contract/webhooks';
import { isGatewayError } from '../../../lib/domain/errors';
import { parseDeliveryPage } from '../../../lib/http/console/webhook-endpoints';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { queryOf } from '../components/list/url-filter';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { NowProvider } from '../components/ui/now';
import { paths, withQuery } from '../paths';
import { deliveriesPath, parseDeliveryFilter } from './delivery-filter';
import { WebhooksView } from './webhooks-view';

export const metadata: Metadata = { title: 'Webhooks' };

export default async function WebhooksPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const parameters = await searchParams;
  const person = await requirePerson(withQuery(paths.webhooks(), parameters));
  const mode = await currentMode(parameters.mode);
  const { webhooks, clock, baseUrl, config } = gateway();
  const account = { orgId: person.orgId, mode };
  const path = deliveriesPath(mode, parseDeliveryFilter(queryOf(parameters)));
  const [endpoints, receivers, found] = await readQuietly(() =>
    Promise.all([webhooks.endpoints(account), webhooks.receivers(account), find(path)]),
  );
  return (
    <Shell person={person}>
      <NowProvider startMs={clock.nowMs()}>
        <WebhooksView
          key={mode}
          mode={mode}
          endpoints={endpoints}
          receivers={receivers}
          deliveries={found && { path, found }}
          mayEdit={mayChange(person, 'edit')}
          mayCallThisMachine={config.outboundAllow.some((range) => range.startsWith('127.'))}
        />
      </NowProvider>
    </Shell>
  );

  /**
   * Loads what the page shows. Resolves to undefined for an invalid query: the client then repeats the request and
   * shows its error.
   */
  async function find(wanted: string): Promise<DeliveryPageJson | undefined> {
    try {
      const page = parseDeliveryPage(new URL(wanted, baseUrl).searchParams, clock.now());
      return await webhooks.search(account, page);
    } catch (error) {
      if (isGatewayError(error)) return undefined;
      throw error;
    }
  }
}
