import { hasGateway } from './lib/runtime';

// Under `next start` no gateway exists before Next runs, so this creates the built one. It is required from the project
// root and not bundled, so that workers and drivers are found where they are. Our own server has created it already.

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
