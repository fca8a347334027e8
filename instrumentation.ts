import { createRequire } from 'node:module';
import path from 'node:path';
import { hasGateway } from './lib/runtime';

// Under `next start` nobody has composed a gateway before Next runs; this fills the empty slot with the built one, required
// from the project root and not bundled, so that workers and drivers are found where they are. Under our own server the slot
// is full and nothing happens. `next build` never calls `register`.

export async function register(): Promise<void> {
  if (hasGateway()) return;
  const requireBuilt = createRequire(path.join(process.cwd(), 'package.json'));
  // Safe: the file is built from server/compose.ts, which exports it.
  const { startGateway } = requireBuilt('./dist/compose.cjs') as { startGateway: () => Promise<void> };
  await startGateway();
}
