import { createInterface } from 'node:readline';
import { DirectoryInUse, lockDirectory } from '../../../lib/db/directory-lock';

// A process that locks each directory that it is told on its input, and says how it went. It ends with its input.
const lines = createInterface({ input: process.stdin });
lines.on('line', (directory) => {
  try {
    lockDirectory(directory);
    process.stdout.write('locked\n');
  } catch (error) {
    process.stdout.write(`${error instanceof DirectoryInUse ? error.message : String(error)}\n`);
  }
});
lines.on('close', () => process.exit(0));
process.stdout.write('ready\n');
