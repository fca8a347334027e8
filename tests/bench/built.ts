/** Builds the product, its pages too, if there is no build or an old one. */
export async function ensureBuilt(): Promise<void> {
  // Imported when it is needed: it waits at its top level, which the compiler of scripts cannot translate.
  const { buildAll, isBuilt } = await import('../../server/build.mjs');
  if (!isBuilt()) await buildAll();
}
