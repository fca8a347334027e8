import type { CurrentCatalog } from '../catalog/catalog';
import type { Db } from '../db/database';
import { searchWork } from '../db/requests';
import { searchKeys, searchVideos, searchVideosOfRequest } from '../db/search';
import type { FoundJson } from '../contract/activity';
import type { OrgId } from '../domain/ids';
import type { Model } from '../domain/model';

// The console's search: models of the catalog, and the organisation's own keys, videos, messages and sessions.

export interface Search {
  /** Returns the best few matches of each kind; nothing for a text shorter than two characters. */
  find(orgId: OrgId, text: string): Promise<readonly FoundJson[]>;
}

const MIN_LENGTH = 2;
const MAX_LENGTH = 100;
const MAX_PER_KIND = 6;
/** A shorter text is not treated as the beginning of an id: ids are pasted and not typed. */
const MIN_ID_LENGTH = 4;
/** A text that may be the id of a message, a session or a request, or the beginning of a transcription's id. */
const WORK_ID = /^[\w-]{8,64}$/;

export function createSearch({ db, catalog }: { readonly db: Db; readonly catalog: CurrentCatalog }): Search {
  return {
    async find(orgId, text) {
      const wanted = text.trim().slice(0, MAX_LENGTH);
      if (wanted.length < MIN_LENGTH || wanted.includes('\0')) return [];
      const prefix = idPrefix(wanted);
      const [keys, videos, work] = await Promise.all([
        searchKeys(db, orgId, wanted, MAX_PER_KIND),
        prefix !== undefined
          ? searchVideos(db, orgId, prefix, MAX_PER_KIND)
          : WORK_ID.test(wanted)
            ? searchVideosOfRequest(db, orgId, wanted, MAX_PER_KIND)
            : [],
        WORK_ID.test(wanted) ? searchWork(db, orgId, wanted, MAX_PER_KIND) : [],
      ]);
      return [
        ...videos.map(
          ({ id, model, mode }) =>
            ({ object: 'search_result', kind: 'video', id, title: model, detail: id, mode }) as const,
        ),
        ...work.map(
          ({ kind, id, model, mode }) =>
            ({ object: 'search_result', kind, id, title: model, detail: id, mode }) as const,
        ),
        ...keys.map(
          ({ id, name, mode, prefix: start, lastFour }) =>
            ({
              object: 'search_result',
              kind: 'key',
              id,
              title: name,
              detail: `${start}••••${lastFour}`,
              mode,
            }) as const,
        ),
        ...findModels(catalog().list(), wanted).map(
          ({ id, name }) => ({ object: 'search_result', kind: 'model', id, title: name, detail: id }) as const,
        ),
      ];
    },
  };
}

/**
 * Returns the text as the beginning of a video id, with or without the prefix `video_`; undefined if it cannot be one.
 */
function idPrefix(text: string): string | undefined {
  const bare = text.toLowerCase().replace(/^video_/, '');
  if (!/^[0-9a-f]*$/.test(bare) || text.length < MIN_ID_LENGTH) return undefined;
  return `video_${bare}`;
}

/** Returns models whose id or name begins with the text first, then those that contain all of its words. */
function findModels(models: readonly Model[], text: string): readonly Model[] {
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/);
  const ranked = models.flatMap((model) => {
    const names = [model.id, model.name, ...model.aliases].map((name) => name.toLowerCase());
    if (names.some((name) => name.startsWith(wanted))) return [{ model, rank: 0 }];
    const all = names.join(' ');
    return words.every((word) => all.includes(word)) ? [{ model, rank: 1 }] : [];
  });
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, MAX_PER_KIND)
    .map(({ model }) => model);
}
