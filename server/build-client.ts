import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';
import { compile } from 'json-schema-to-typescript';
import type { z } from 'zod';
import { speechOutputSchema, transcriptionOutputSchema } from '../lib/contract/audio';
import { creditsSchema } from '../lib/contract/credits';
import { errorSchema } from '../lib/contract/errors';
import { modelPageSchema, modelSchema } from '../lib/contract/models';
import {
  deletedVideoSchema,
  submittedVideoSchema,
  videoPageSchema,
  videoRequestSchema,
  videoSchema,
} from '../lib/contract/videos';
import { deliveryPageSchema, deliverySchema } from '../lib/contract/webhooks';
import { componentsOf, type JsonSchema } from '../lib/http/documents/json-schema';

// Builds lib/client as a package of its own, in dist/client: one module without imports, and its types. The types of
// bodies are generated from the zod schemas of the contract, so an app that installs the package does not need zod.

const answers = new Map<z.ZodType, string>([
  [creditsSchema, 'CreditsJson'],
  [deletedVideoSchema, 'DeletedVideoJson'],
  [deliveryPageSchema, 'DeliveryPageJson'],
  [deliverySchema, 'DeliveryJson'],
  [errorSchema, 'ErrorJson'],
  [modelPageSchema, 'ModelPageJson'],
  [modelSchema, 'ModelJson'],
  [speechOutputSchema, 'SpeechMessageJson'],
  [submittedVideoSchema, 'SubmittedVideoJson'],
  [transcriptionOutputSchema, 'TranscriptionMessageJson'],
  [videoPageSchema, 'VideoPageJson'],
  [videoSchema, 'VideoJson'],
]);
const requests = new Map<z.ZodType, string>([[videoRequestSchema, 'VideoRequestJson']]);

const root = path.resolve(import.meta.dirname, '..');

/** Builds the package and returns its folder. */
export async function buildClient(out = path.join(root, 'dist/client')): Promise<string> {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/client/index.ts'],
    outfile: path.join(out, 'index.js'),
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: false,
    logLevel: 'warning',
  });
  await writeFile(path.join(out, 'api.d.ts'), await bodyTypes());
  await writeDeclarations(out);
  await writeFile(path.join(out, 'package.json'), `${JSON.stringify(await manifest(), undefined, 2)}\n`);
  await copyFile(path.join(root, 'lib/client/README.md'), path.join(out, 'README.md'));
  await copyFile(path.join(root, 'LICENSE'), path.join(out, 'LICENSE'));
  return out;
}

/** Returns the package.json of the client, with the gateway's version and licence. */
async function manifest(): Promise<unknown> {
  const { version, license, engines } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  return {
    name: '@patchbay/client',
    version,
    description: 'A small client of Patchbay: videos, webhooks, speech',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    types: './index.d.ts',
    engines,
  };
}

async function bodyTypes(): Promise<string> {
  const schemas = { ...componentsOf(answers, 'output'), ...componentsOf(requests, 'input') };
  const definitions = JSON.parse(
    JSON.stringify(schemas).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as Readonly<Record<string, JsonSchema>>;
  // The root type only holds the definitions.
  const text = await compile({ title: 'Root', type: 'object', definitions }, 'Root', {
    additionalProperties: false,
    bannerComment: '// Written from the schemas of the API.',
    unreachableDefinitions: true,
    unknownAny: true,
    format: false,
  });
  return text
    .replace(/export interface Root \{\s*\}\n/, '')
    .replace(
      /\/\*\*\n \* This interface was referenced by `Root`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      '',
    );
}

/** Writes the type declarations of our own files, with the types of bodies from `api.d.ts`. */
async function writeDeclarations(out: string): Promise<void> {
  const folder = await mkdtemp(path.join(out, 'declarations-'));
  const config = {
    extends: path.join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: root,
      outDir: folder,
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      plugins: [],
    },
    include: [],
    files: [path.join(root, 'lib/client/index.ts')],
  };
  const project = path.join(folder, 'tsconfig.json');
  await writeFile(project, JSON.stringify(config));
  execFileSync(process.execPath, [path.join(root, 'node_modules/typescript/bin/tsc'), '-p', project], {
    stdio: 'inherit',
  });
  const written = path.join(folder, 'lib/client');
  for (const name of await readdir(written)) {
    const text = await readFile(path.join(written, name), 'utf8');
    await writeFile(path.join(out, name), withOwnImports(text));
  }
  await rm(folder, { recursive: true });
}

/** Adds the file extensions to relative imports that Node's module resolution needs. */
function withOwnImports(text: string): string {
  return text
    .replace(/from '\.\.\/contract\/[\w-]+'/g, "from './api.js'")
    .replace(/from '(\.\/[\w-]+)'/g, "from '$1.js'");
}

if (process.argv[1] === import.meta.filename) void buildClient().then((folder) => process.stdout.write(`${folder}\n`));
