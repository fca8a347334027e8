import type { Clock } from '../../domain/clock';
import type { ProviderDefinition, ProviderDeps } from '../../domain/provider';
import { SettingError } from '../../domain/provider-settings';
import { findBaseUrl } from '../kit/http/base-url';
import { createUpstream } from '../kit/http/http';
import {
  apiKeyCredential,
  parseServiceAccount,
  serviceAccountCredential,
  type ServiceAccount,
  type VertexCredential,
} from './credential';
import { canOrder } from './models';
import { DEFAULT_REGION, hostOf } from './region';
import { createVertexVeo } from './video';

// Reference: cloud.google.com, "Veo on Vertex AI video generation API", 2026; the wire of @google/genai 2.32.0.

const VERSION_PATH = '/v1';
const STORAGE_URL = 'https://storage.googleapis.com';

export const googleVertex: ProviderDefinition = {
  id: 'google-vertex',
  name: 'Google Vertex AI',
  capabilities: ['video'],
  settings: [
    {
      name: 'GOOGLE_VERTEX_SERVICE_ACCOUNT',
      required: false,
      description:
        'The JSON text of the key file of a service account of Google Cloud, for videos of Veo on Vertex AI. The account needs the role Vertex AI User.',
    },
    {
      name: 'GOOGLE_VERTEX_API_KEY',
      required: false,
      description:
        'API key of Vertex AI in express mode, in place of a service account. The project and the region belong to the key.',
    },
    {
      name: 'GOOGLE_VERTEX_PROJECT',
      required: false,
      description: 'Id of the project that pays (default: the project of the service account).',
    },
    {
      name: 'GOOGLE_VERTEX_REGION',
      required: false,
      description: `Region of Vertex AI, such as europe-west4, or global, eu or us (default ${DEFAULT_REGION}).`,
    },
    {
      name: 'GOOGLE_VERTEX_STORAGE_URI',
      required: false,
      description:
        'Folder of a bucket for the videos, such as gs://bucket/videos/; only with a service account, which must be able to read it. Patchbay never deletes these objects; delete them yourself, not before 30 days have passed. Without it, a video comes inside an answer of Vertex AI, and can be downloaded for an hour unless there is a MEDIA_STORE.',
    },
    {
      name: 'GOOGLE_VERTEX_BASE_URL',
      required: false,
      description: `Overrides the API base URL (default https://${hostOf(DEFAULT_REGION)}${VERSION_PATH}, or that of the region).`,
    },
    {
      name: 'GOOGLE_VERTEX_STORAGE_BASE_URL',
      required: false,
      description: `Overrides the base URL of Cloud Storage (default ${STORAGE_URL}).`,
    },
  ],
  alternatives: [['GOOGLE_VERTEX_SERVICE_ACCOUNT'], ['GOOGLE_VERTEX_API_KEY']],
  // Not a service account: its key file names the server that issues tokens, which could be any server.
  ownCredentials: [['GOOGLE_VERTEX_API_KEY']],
  knows: canOrder,
  create({ settings, clock, media, files, probe }) {
    const { GOOGLE_VERTEX_SERVICE_ACCOUNT: keyFile } = settings;
    const account = keyFile === undefined ? undefined : parseServiceAccount(keyFile, 'GOOGLE_VERTEX_SERVICE_ACCOUNT');
    const region = regionOf(settings, account);
    const upstream = createUpstream({ baseUrl: baseUrlOf(settings, region), clock });
    const storage = createUpstream({
      baseUrl: findBaseUrl(settings, 'GOOGLE_VERTEX_STORAGE_BASE_URL', STORAGE_URL),
      clock,
    });
    const credential = credentialOf(settings, account, clock);
    const storageUri = storageUriOf(settings, account);
    return {
      id: 'google-vertex',
      video: createVertexVeo({
        upstream,
        storage,
        credential,
        parent: account ? `projects/${projectOf(settings, account)}/locations/${region}/` : '',
        ...(storageUri !== undefined && { storageUri }),
        clock,
        media,
        files,
        probe,
      }),
      async close() {
        await Promise.all([upstream.close(), storage.close(), credential.close()]);
      },
    };
  },
};

type Settings = ProviderDeps['settings'];

function credentialOf(settings: Settings, account: ServiceAccount | undefined, clock: Clock): VertexCredential {
  return account ? serviceAccountCredential(account, clock) : apiKeyCredential(settings.GOOGLE_VERTEX_API_KEY ?? '');
}

/** Returns the region. An API key belongs to a region, but its requests do not name it and go to the global host. */
function regionOf({ GOOGLE_VERTEX_REGION: region }: Settings, account: ServiceAccount | undefined): string {
  if (region !== undefined && !/^[a-z]+(?:-[a-z0-9]+)*$/.test(region))
    throw new SettingError(
      'GOOGLE_VERTEX_REGION',
      `must be the name of a region, such as ${DEFAULT_REGION}, or global, eu or us.`,
    );
  return region ?? (account ? DEFAULT_REGION : 'global');
}

/** Returns the base URL; one without a path gets the path of the API's version. */
function baseUrlOf(settings: Settings, region: string): string {
  const url = findBaseUrl(settings, 'GOOGLE_VERTEX_BASE_URL', `https://${hostOf(region)}${VERSION_PATH}`);
  return new URL(url).pathname === '/' ? url + VERSION_PATH : url;
}

function projectOf({ GOOGLE_VERTEX_PROJECT: named }: Settings, account: ServiceAccount): string {
  const project = named ?? account.projectId;
  if (project === undefined || !/^[\w.:-]+$/.test(project))
    throw new SettingError(
      'GOOGLE_VERTEX_PROJECT',
      'must be the id of a project: the key file of the account names none.',
    );
  return project;
}

function storageUriOf(
  { GOOGLE_VERTEX_STORAGE_URI: uri }: Settings,
  account: ServiceAccount | undefined,
): string | undefined {
  if (uri === undefined) return undefined;
  if (!/^gs:\/\/[\w.-]+(?:\/.*)?$/.test(uri))
    throw new SettingError('GOOGLE_VERTEX_STORAGE_URI', 'must be a folder of a bucket, such as gs://bucket/videos/.');
  if (!account)
    throw new SettingError(
      'GOOGLE_VERTEX_STORAGE_URI',
      'needs GOOGLE_VERTEX_SERVICE_ACCOUNT: an API key cannot read a bucket.',
    );
  return uri;
}
