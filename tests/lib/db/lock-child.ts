import { createInterface } from 'node:readline';
import { DirectoryInUse, lockDirectory } from '../../../lib/db/directory-lock';

// A process that locks each directory named on its input and prints the result. It ends with its input.
const lines = createInterface({ input: process.stdin });
lines.on('line', async (directory) => {
  try {
    await lockDirectory(directory);
    process.stdout.write('locked\n');
  } catch (error) {
    process.stdout.write(`${error instanceof DirectoryInUse ? error.message : String(error)}\n`);
  }
});
lines.on('close', () => process.exit(0));
process.stdout.write('ready\n');
