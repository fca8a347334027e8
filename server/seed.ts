import { parseArgs } from 'node:util';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { CommandError, exitCodes, usageError } from '../lib/cli/command-error';
import { ConfigError, readConfig } from '../lib/config/config';
import type { Database } from '../lib/db/database';
import { DirectoryInUse } from '../lib/db/directory-lock';
import { openDatabase } from '../lib/db/open-database';
import { members } from '../lib/db/schema/index';
import type { Actor } from '../lib/domain/caller';
import { readEnvFile } from '../lib/config/env-file';
import { createLog } from '../lib/log';
import { providerDefinitions } from '../lib/providers/registry';
import { createLinks } from '../lib/videos/links';
import { createWorkerStarter } from '../lib/workers';
import { composeGateway } from './compose';
import { createDemoClock } from './demo/clock';
import { writeDemoData } from './demo/data';

// `npm run seed`: demo data for a developer's database. It never runs on an installation in use: it refuses production,
// and it refuses a database that has videos.

const HELP = `Writes demo data to develop pages against: API keys, videos in every state, webhook deliveries, a
year of usage, and a team with projects, alerts and a policy. Stop the server first when it uses the embedded database.

  npm run seed
  npm run seed -- --force

Options
  --force   also into a database that already has videos
  --help    prints this text

The database is that of the server: DATABASE_URL, or the embedded one in DATA_DIR, from the environment or .env.
Exit codes: 0 done; 1 refused; 2 wrong command or setting.
`;

async function main(): Promise<string> {
  const { force = false, help = false } = readOptions();
  if (help) return HELP;
  const env = { ...readEnvFile(path.join(process.cwd(), '.env')), ...process.env };
  if (env.NODE_ENV === 'production')
    throw new CommandError(
      'Demo data is for development. NODE_ENV is "production", so nothing was written.',
      exitCodes.failed,
    );
  // This process runs the jobs of its own videos, whatever role the server has.
  const config = { ...readConfig(env, providerDefinitions), production: false, role: 'all' as const };
  const log = createLog('error');
  const clock = createDemoClock();
  const projectRoot = process.cwd();
  const db = await openDatabase({
    ...(config.databaseUrl === undefined ? { dataDir: config.dataDir } : { url: config.databaseUrl }),
    migrationsFolder: path.join(projectRoot, 'drizzle'),
    startWorker: createWorkerStarter(projectRoot, false),
    log,
  });
  try {
    await checkUnused(db, force);
    const { gateway, seeded, authSecret } = await composeGateway(config, { database: db, clock, log });
    try {
      const owner = await findOwner(db);
      const links = createLinks({ secret: authSecret, baseUrl: gateway.baseUrl });
      const { counts, team } = await writeDemoData({ db, gateway, links, clock, owner });
      const written = Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(5)} ${name}\n`);
      const firstRun = seeded?.kind === 'first-run' ? `Password and keys of the owner are in ${seeded.file}\n` : '';
      const signIns = team
        ? `Members, with the password ${team.password}\n${team.people.map(({ email, role }) => `  ${email} (${role})\n`).join('')}`
        : '';
      return `Demo data was written:\n${written.join('')}${firstRun}${signIns}Start the server with "npm run dev".\n`;
    } finally {
      await gateway.close();
    }
  } finally {
    await db.close();
  }
}

function readOptions(): { readonly force?: boolean; readonly help?: boolean } {
  try {
    return parseArgs({ options: { force: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw usageError(`${error instanceof Error ? error.message : String(error)}\n${HELP}`);
  }
}

async function checkUnused(db: Database, force: boolean): Promise<void> {
  if (force) return;
  const { rows } = await db.query('select 1 from videos limit 1');
  if (rows.length > 0)
    throw new CommandError(
      'This database already has videos, so nothing was written. Use another DATA_DIR or DATABASE_URL, or add the demo data with "npm run seed -- --force".',
      exitCodes.failed,
    );
}

/** Returns the first owner of the first organisation. */
async function findOwner(db: Database): Promise<Actor> {
  const [owner] = await db.orm
    .select({ orgId: members.orgId, userId: members.userId, role: members.role })
    .from(members)
    .where(eq(members.role, 'owner'))
    .orderBy(members.createdAt)
    .limit(1);
  if (owner) return owner;
  throw new CommandError(
    'This database has no organisation yet. Set BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD, or sign up in the console first.',
    exitCodes.failed,
  );
}

main().then(
  (text) => process.stdout.write(text),
  (error: unknown) => {
    const isForDeveloper =
      error instanceof ConfigError || error instanceof DirectoryInUse || error instanceof CommandError;
    process.stderr.write(
      `${isForDeveloper ? error.message.trimEnd() : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    process.exitCode =
      error instanceof ConfigError
        ? exitCodes.usage
        : error instanceof CommandError
          ? error.exitCode
          : exitCodes.failed;
  },
);
