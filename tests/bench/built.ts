/** Builds the product with its pages if there is no build or if the build is out of date. */
export async function ensureBuilt(): Promise<void> {
  // Imported here and not at the top: the module uses top-level await, which tsx cannot translate to CommonJS.
  const { buildAll, isBuilt } = await import('../../server/build.mjs');
  if (!isBuilt()) await buildAll();
}
