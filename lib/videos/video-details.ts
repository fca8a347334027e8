import type { CurrentCatalog } from '../catalog/catalog';
import type { IgnoredField, VideoAttemptJson, VideoDetails } from '../contract/videos';
import type { Account } from '../domain/caller';
import { presentLedger } from '../billing/present-ledger';
import { exactSeconds } from '../domain/clock';
import { isId } from '../domain/ids';
import type { Json } from '../domain/json';
import type { VideoModel } from '../domain/model';
import { usdText } from '../domain/money';
import type { ProviderDirectory } from '../routing/provider-directory';
import type { Database } from '../db/database';
import { findKeyName } from '../db/keys';
import { findHold, listEntriesOfHold } from '../db/ledger';
import { listAttempts } from '../db/video-starts';
import { findKeptRequest, findVideo, type VideoRow } from '../db/videos';
import { listDeliveriesOf } from '../webhooks/present-delivery';
import { canCancel } from './can-cancel';
import { ignoredFields } from './ignored-fields';
import type { Links } from './links';
import { modelOfVideo } from './model-of-video';
import { videoNotFound } from './not-found';
import { presentVideo } from './present';
import { presentTimeline, type AttemptRow } from './present-timeline';

// All stored data of one video, for the console. Reading it does not count as the app having received the response, so
// automatic retries are still recognised.

export function createVideoDetails(deps: {
  db: Database;
  links: Links;
  catalog: CurrentCatalog;
  providers: Pick<ProviderDirectory, 'of'>;
}) {
  const { db, links, providers } = deps;

  return async function details(account: Account, id: string): Promise<VideoDetails> {
    const row = isId('video', id) ? await findVideo(db, account, id) : undefined;
    if (!row) throw videoNotFound();
    const [keyName, attempts, request, hold, entries, deliveries, model] = await Promise.all([
      findKeyName(db, account.orgId, row.keyId),
      listAttempts(db, row.id),
      findKeptRequest(db, account, row.id),
      findHold(db, account, row.holdId),
      listEntriesOfHold(db, account, row.holdId),
      listDeliveriesOf(db, account, row.id),
      modelOfVideo(deps, row),
    ]);
    return {
      ...presentVideo(row, links),
      request_id: row.requestId,
      key: { id: row.keyId, ...(keyName === undefined ? {} : { name: keyName }) },
      candidates: [...new Set(row.candidates.map(({ provider }) => provider))],
      cancellable: await mayBeCancelled(row, attempts),
      timeline: presentTimeline(row, attempts, deliveries),
      attempts: attempts.map(presentAttempt),
      ...(request === undefined ? {} : { request }),
      ignored: ignoredOf(row, model, request),
      price: {
        quoted: { currency: 'USD', lines: row.quoteLines, total: usdText(row.quoteNanoUsd) },
        held: { amount: usdText(hold?.amountNanoUsd ?? row.quoteNanoUsd), state: hold?.state ?? 'open' },
        ...(row.costNanoUsd === null ? {} : { charged: usdText(row.costNanoUsd) }),
        ledger: presentLedger(entries),
      },
      webhook_deliveries: deliveries,
    };
  };

  async function mayBeCancelled(row: VideoRow, attempts: readonly AttemptRow[]): Promise<boolean> {
    if (row.completedAt !== null) return false;
    const start = row.receipt === null ? attempts.find(({ outcome }) => outcome === 'unknown') : row;
    return start === undefined || (await canCancel(providers, start));
  }

  function ignoredOf(row: VideoRow, model: VideoModel | undefined, request: Json | undefined): IgnoredField[] {
    if (typeof request !== 'object' || request === null || Array.isArray(request)) return [];
    const [quoting] = row.candidates;
    const binding = model?.bindings.find(
      ({ providerId, modelName }) => providerId === quoting?.provider && modelName === quoting.upstreamModel,
    );
    // Safe: an object and not an array.
    return ignoredFields(request as Readonly<Record<string, Json>>, row.ignoredParams, model, binding);
  }
}

function presentAttempt({
  attempt,
  provider,
  upstreamModel,
  outcome,
  code,
  startedAt,
  endedAt,
  sent,
}: AttemptRow): VideoAttemptJson {
  return {
    attempt,
    provider,
    upstream_model: upstreamModel,
    outcome,
    ...(code === null ? {} : { code }),
    started_at: exactSeconds(startedAt),
    ...(endedAt ? { duration_ms: endedAt.getTime() - startedAt.getTime() } : {}),
    ...(sent === null ? {} : { sent }),
  };
}
