import type { Metadata } from 'next';
import { presentCatalogEntry } from '../../../lib/catalog/present-entry';
import { gateway } from '../../../lib/runtime';
import { requirePerson } from '../components/auth/current-person';
import { Catalog } from './catalog';
import { parseCatalogQuery, printCatalogQuery } from './catalog-query';
import { Shell } from '../components/shell/shell';
import { paths } from '../paths';

export const metadata: Metadata = { title: 'Models' };

export default async function ModelsPage({
  searchParams,
}: {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const asked = Object.entries(await searchParams).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each]),
  );
  const person = await requirePerson(paths.models() + printCatalogQuery(parseCatalogQuery(new URLSearchParams(asked))));
  const { catalog } = gateway();
  const entries = catalog.list({ includeDeactivated: true }).map((model) => presentCatalogEntry(catalog, model));
  return (
    <Shell person={person} wide>
      <h1 className="text-xl font-semibold tracking-[-0.02em]">Models</h1>
      <p className="mt-1 mb-6 max-w-2xl text-sm text-muted">
        With a test key every model works: the sandbox on this machine answers in its place, at its price, from test
        credits. With a live key those work whose provider is set up here.
      </p>
      <Catalog entries={entries} />
    </Shell>
  );
}
