import type { Catalog } from '../catalog/catalog';
import type { Account } from '../domain/caller';
import { isId } from '../domain/ids';
import type { Database } from '../db/database';
import { findOrder, findVideo } from '../db/videos';
import { videoNotFound } from './not-found';
import { requestOfOrder } from './request-of-order';

// What was asked for, whole and with its media, for the people of the account: to be sent again, or changed and sent.

export function createVideoRequests(deps: { readonly db: Database; readonly catalog: Catalog }) {
  const { db, catalog } = deps;
  return {
    async request(account: Account, id: string): Promise<Readonly<Record<string, unknown>>> {
      const row = isId('video', id) ? await findVideo(db, account, id) : undefined;
      const order = row && (await findOrder(db, row.id));
      const model = row && catalog.find(row.model);
      if (!row || !order || model?.capability !== 'video') throw videoNotFound();
      return requestOfOrder(order, model, row.webhookUrl ?? undefined);
    },
  };
}
