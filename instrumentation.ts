import { hasGateway } from './lib/runtime';

// Under `next start` nobody has composed a gateway before Next runs; this fills the empty slot with the built one, required
// from the project root and not bundled, so that workers and drivers are found where they are. Under our own server the slot
// is full and nothing happens.

export async function register(): Promise<void> {
  // Next compiles this file for a second runtime that has no Node in it, and leaves the block out there.
  if (process.env.NEXT_RUNTIME === 'nodejs') {
    if (hasGateway()) return;
    const { createRequire } = await import('node:module');
    const { join } = await import('node:path');
    const requireBuilt = createRequire(join(process.cwd(), 'package.json'));
    // Safe: the file is built from server/compose.ts, which exports it.
    const { startGateway } = requireBuilt('./dist/compose.cjs') as { startGateway: () => Promise<void> };
    await startGateway();
  }
}
