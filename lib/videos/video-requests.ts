import type { CurrentCatalog } from '../catalog/catalog';
import type { Account } from '../domain/caller';
import { GatewayError } from '../domain/errors';
import { isId } from '../domain/ids';
import type { Database } from '../db/database';
import { findOrder, findVideo } from '../db/videos';
import { modelOfVideo } from './model-of-video';
import { videoNotFound } from './not-found';
import { requestOfOrder } from './request-of-order';

// The complete stored request with its media, for members who want to send it again, with or without changes.

export function createVideoRequests(deps: { readonly db: Database; readonly catalog: CurrentCatalog }) {
  const { db } = deps;
  return {
    async request(account: Account, id: string): Promise<Readonly<Record<string, unknown>>> {
      const row = isId('video', id) ? await findVideo(db, account, id) : undefined;
      const model = row && (await modelOfVideo(deps, row));
      if (!row || !model) throw videoNotFound();
      const order = await findOrder(db, row.id);
      if (!order)
        throw new GatewayError(
          'video_expired',
          'The request of this video is no longer stored: the time for which this installation keeps inputs is over.',
        );
      return requestOfOrder(order, model, row.webhookUrl ?? undefined);
    },
  };
}
