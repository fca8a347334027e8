import type { Catalog } from '../catalog/catalog';
import type { Account } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { Database } from '../db/database';
import { findOrder, findVideo } from '../db/videos';
import { videoNotFound } from './not-found';
import { requestOfOrder } from './request-of-order';

// The complete stored request with its media, for members of the account who want to send it again, with or without
// changes.

export function createVideoRequests(deps: { readonly db: Database; readonly catalog: Catalog }) {
  const { db, catalog } = deps;
  return {
    async request(account: Account, id: string): Promise<Readonly<Record<string, unknown>>> {
      const row = isId('video', id) ? await findVideo(db, account, id) : undefined;
      const model = row && catalog.find(row.model);
      if (!row || model?.capability !== 'video') throw videoNotFound();
      const order = await findOrder(db, row.id);
      if (!order)
        throw new GatewayError(
          'video_expired',
          'The request of this video is no longer stored: inputs are removed 30 days after a video is completed, and one day after it failed.',
        );
      return requestOfOrder(order, model, row.webhookUrl ?? undefined);
    },
  };
}
