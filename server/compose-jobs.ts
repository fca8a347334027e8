import type { Sealer } from '../lib/accounts/seal';
import { createGiveUpAlertMail, createMailAlert } from '../lib/alerts/mail-alert';
import type { Ledger } from '../lib/billing/ledger';
import type { CurrentCatalog } from '../lib/catalog/catalog';
import type { Config } from '../lib/config/config';
import { resealSecrets } from '../lib/credentials/reseal-secrets';
import type { Database } from '../lib/db/database';
import type { Clock } from '../lib/domain/clock';
import type { MediaStore } from '../lib/domain/files';
import type { ProviderId } from '../lib/domain/ids';
import type { Log } from '../lib/domain/log';
import type { Provider } from '../lib/domain/provider';
import type { Telemetry } from '../lib/domain/telemetry';
import { createHousekeeping } from '../lib/housekeeping/housekeeping';
import { readDirectoryId } from '../lib/io/directory-id';
import { givingUp, type JobHandlers } from '../lib/jobs/job';
import type { Queue } from '../lib/jobs/queue';
import type { Mailer } from '../lib/mail/mailer';
import type { Outbound } from '../lib/net/safe-fetch';
import type { ProviderDirectory } from '../lib/routing/provider-directory';
import type { ProviderHealth } from '../lib/routing/provider-health';
import type { Router } from '../lib/routing/router';
import { createArchiveVideo, createBeginArchive, createGiveUpArchive } from '../lib/videos/archive-video';
import type { Callbacks } from '../lib/videos/callbacks';
import { checkOnChange } from '../lib/videos/check-on-change';
import type { CheckSource } from '../lib/videos/check-source';
import { createCheckVideo } from '../lib/videos/check-video';
import type { FinishVideo } from '../lib/videos/finish-video';
import { createGiveUpVideo } from '../lib/videos/give-up';
import type { PublishedMedia } from '../lib/videos/published-media';
import { createStartSlots, type StartSlots } from '../lib/videos/start-slots';
import { createStartVideo } from '../lib/videos/start-video';
import { createDeliverWebhook, createGiveUpDelivery } from '../lib/webhooks/deliver-webhook';
import { createSigningSecrets } from '../lib/webhooks/signing-secrets';

/** What a process runs besides answering requests. */
export interface Jobs {
  start(): void;
  /** Plans no further work. */
  stopPlanning(): void;
  /** Resolves when no waiting start is called any more. */
  stopSlots(): Promise<void>;
}

interface JobsDeps {
  /** A connection pool that requests do not use. */
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly random: () => number;
  readonly catalog: CurrentCatalog;
  readonly router: Router<'video'>;
  readonly providers: ProviderDirectory;
  readonly installed: ReadonlyMap<ProviderId, Provider>;
  readonly health: ProviderHealth;
  readonly queue: Queue;
  readonly ledger: Ledger;
  readonly finishVideo: FinishVideo;
  readonly checkSource: CheckSource;
  readonly callbacks: Callbacks;
  readonly publishedMedia: PublishedMedia;
  /** Undefined without an archive. */
  readonly store: MediaStore | undefined;
  readonly sealer: Sealer;
  readonly outbound: Outbound;
  readonly baseUrl: string;
  readonly mailer: Mailer | undefined;
}

/** Composes the handlers of jobs, the calls of waiting starts, and housekeeping. */
export function composeJobs(config: Config, deps: JobsDeps): Jobs {
  const { store, ...others } = deps;
  const { db, log, sealer, queue, installed, mailer } = others;
  const housekeeping = createHousekeeping({
    ...others,
    ...(store && { store }),
    retention: config.retention,
    canMail: mailer !== undefined,
    readDirectoryId: () => readDirectoryId(config.dataDir),
    isEmbedded: config.databaseUrl === undefined,
    ...(config.masterKeyFallbacks.length > 0 && {
      resealSecrets: (goesOn) => resealSecrets({ db, sealer, log }, goesOn),
    }),
  });
  const slots = createStartSlots(deps);
  const stopChecksOnChange = checkOnChange({ providers: installed, queue, log });
  return {
    start() {
      queue.run(createHandlers(deps, slots));
      slots.start();
      housekeeping.start();
    },
    stopPlanning() {
      housekeeping.stop();
      stopChecksOnChange();
    },
    stopSlots: () => slots.stop(),
  };
}

/** Creates, for each kind of job, its handler and what happens when the handler has failed too often. */
function createHandlers(deps: JobsDeps, slots: StartSlots): JobHandlers {
  const { store, ...others } = deps;
  const giveUpVideo = createGiveUpVideo(others);
  return {
    'video.start': givingUp(createStartVideo({ ...others, slots }), giveUpVideo),
    'video.check': givingUp(
      createCheckVideo({ ...others, ...(store && { beginArchive: createBeginArchive(others) }) }),
      giveUpVideo,
    ),
    'video.archive': givingUp(createArchiveVideo(deps), createGiveUpArchive(others)),
    'webhook.deliver': givingUp(
      createDeliverWebhook({ ...others, secrets: createSigningSecrets(others) }),
      createGiveUpDelivery(others),
    ),
    'alert.mail': givingUp(createMailAlert(others), createGiveUpAlertMail(others)),
  };
}
