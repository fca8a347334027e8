import type { FoundListJson } from '../../contract/activity';
import type { Documents } from '../documents/documents';
import { jsonResponse, type ActorContext, type Handler } from '../handler';

const MAX_GUIDES = 4;
const MIN_GUIDE_CHARS = 2;

/** `?q=`: models by name or id, keys by name, jobs by the beginning of their id, sections of the documentation by words. */
export function createSearchEndpoint(documents: Pick<Documents, 'index'>): Handler<ActorContext> {
  return async ({ gateway, actor, request }) => {
    const text = request.query.get('q') ?? '';
    const [found, index] = await Promise.all([gateway.search.find(actor.orgId, text), documents.index(gateway)]);
    const sections = text.trim().length < MIN_GUIDE_CHARS ? [] : index.find(text, MAX_GUIDES);
    const guides = sections.map(({ slug, anchor, title, page }) => ({
      object: 'search_result' as const,
      kind: 'guide' as const,
      id: anchor === '' ? slug : `${slug}#${anchor}`,
      title,
      detail: title === page ? '' : page,
    }));
    return jsonResponse(200, { object: 'list', data: [...found, ...guides] } satisfies FoundListJson);
  };
}
