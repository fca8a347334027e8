import { createGiveUpAlertMail, createMailAlert } from '../lib/alerts/mail-alert';
import type { CurrentCatalog } from '../lib/catalog/catalog';
import type { Database } from '../lib/db/database';
import type { Clock } from '../lib/domain/clock';
import type { MediaStore } from '../lib/domain/files';
import type { Log } from '../lib/domain/log';
import type { Telemetry } from '../lib/domain/telemetry';
import { givingUp, type JobHandlers } from '../lib/jobs/job';
import type { Queue } from '../lib/jobs/queue';
import type { Mailer } from '../lib/mail/mailer';
import type { Outbound } from '../lib/net/safe-fetch';
import type { ProviderDirectory } from '../lib/routing/provider-directory';
import type { ProviderHealth } from '../lib/routing/provider-health';
import type { Router } from '../lib/routing/router';
import { createArchiveVideo, createBeginArchive, createGiveUpArchive } from '../lib/videos/archive-video';
import type { Callbacks } from '../lib/videos/callbacks';
import { createCheckVideo } from '../lib/videos/check-video';
import type { CheckSource } from '../lib/videos/check-source';
import type { FinishVideo } from '../lib/videos/finish-video';
import { createGiveUpVideo } from '../lib/videos/give-up';
import type { PublishedMedia } from '../lib/videos/published-media';
import { createStartVideo } from '../lib/videos/start-video';
import { createDeliverWebhook, createGiveUpDelivery } from '../lib/webhooks/deliver-webhook';
import type { SigningSecrets } from '../lib/webhooks/signing-secrets';

/** Composes, for each kind of job, its handler and what happens when the handler has failed too often. */
export function composeJobHandlers(deps: {
  /** A connection pool that requests do not use. */
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly telemetry: Telemetry;
  readonly random: () => number;
  readonly catalog: CurrentCatalog;
  readonly router: Router<'video'>;
  readonly providers: Pick<ProviderDirectory, 'of' | 'ownOf'>;
  readonly health: ProviderHealth;
  readonly queue: Queue;
  readonly finishVideo: FinishVideo;
  readonly checkSource: CheckSource;
  readonly callbacks: Callbacks;
  readonly publishedMedia: PublishedMedia;
  /** Undefined without an archive. */
  readonly store: MediaStore | undefined;
  readonly secrets: SigningSecrets;
  readonly outbound: Outbound;
  readonly baseUrl: string;
  readonly mailer: Mailer | undefined;
}): JobHandlers {
  const { store, ...others } = deps;
  const giveUpVideo = createGiveUpVideo(others);
  return {
    'video.start': givingUp(createStartVideo(others), giveUpVideo),
    'video.check': givingUp(
      createCheckVideo({ ...others, ...(store && { beginArchive: createBeginArchive(others) }) }),
      giveUpVideo,
    ),
    'video.archive': givingUp(createArchiveVideo(deps), createGiveUpArchive(others)),
    'webhook.deliver': givingUp(createDeliverWebhook(others), createGiveUpDelivery(others)),
    'alert.mail': givingUp(createMailAlert(others), createGiveUpAlertMail(others)),
  };
}
