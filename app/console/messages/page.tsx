import type { Metadata } from 'next';
import { mayChange } from '../../../lib/domain/roles';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { currentMode } from '../components/shell/current-mode';
import { readQuietly } from '../components/shell/read-quietly';
import { Shell } from '../components/shell/shell';
import { paths, withQuery } from '../paths';
import type { Settings, ShownModel } from './conversation';
import { MessagesPlayground } from './messages-playground';
import { findModel } from './read-request';

export const metadata: Metadata = { title: 'Messages' };

type Query = Record<string, string | string[] | undefined>;

export default async function MessagesPage({ searchParams }: { readonly searchParams: Promise<Query> }) {
  const query = await searchParams;
  const person = await requirePerson(withQuery(paths.messages(), query));
  const mode = await currentMode(query.mode);
  const { alerts, catalogOf, organizationSettings, baseUrl } = gateway();
  const { orgId } = person;
  const [catalog, watched, settings] = await readQuietly(() =>
    Promise.all([catalogOf({ orgId, mode: 'live' }), alerts.list({ orgId, mode }), organizationSettings.read(person)]),
  );
  const models: ShownModel[] = catalog
    .list()
    .filter((model) => model.capability === 'messages')
    .map((model) => {
      const providers = (serves: typeof catalog.isOwn) =>
        model.bindings.filter((binding) => serves(model, binding)).map(({ providerId }) => providerId);
      return {
        model,
        offered: providers(catalog.available),
        own: providers(catalog.isOwn),
        implemented: catalog.isImplemented(model),
      };
    });
  return (
    <Shell person={person} wide>
      <MessagesPlayground
        key={mode}
        mode={mode}
        baseUrl={baseUrl}
        mayEdit={mayChange(person, 'edit')}
        models={models}
        alerts={watched}
        keptDays={settings.keep_messages_days}
        {...requestedModel(query.model, models)}
      />
    </Shell>
  );
}

/** Returns the model that the URL names. If that model does not exist, returns the problem instead. */
function requestedModel(
  name: string | string[] | undefined,
  models: readonly ShownModel[],
): { readonly initialModel?: Pick<Settings, 'modelId' | 'provider'>; readonly initialProblem?: string } {
  if (name === undefined) return {};
  try {
    const { model, provider } = findModel(name, models);
    return { initialModel: { modelId: model.id, ...(provider !== undefined && { provider }) } };
  } catch (error) {
    return error instanceof Error ? { initialProblem: error.message } : {};
  }
}
