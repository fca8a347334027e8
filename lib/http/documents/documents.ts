import { createHash } from 'node:crypto';
import { GatewayError } from '../../domain/errors';
import { pagePath, type DocsPage } from '../../docs/page';
import { createDocsIndex, type DocsIndex } from '../../docs/search-pages';
import type { Gateway } from '../../gateway';
import { noneMatchHits } from '../byte-range';
import { JSON_TYPE, pathParam, type Handler, type PublicContext, type GatewayResponse } from '../handler';
import type { Endpoint } from '../route-table';
import { createAsyncApi } from './asyncapi';
import { createOpenApi } from './openapi';
import { referencePages } from './reference';

// The documents that describe the API and the product: for tools, for people and for language models. They depend only
// on the code, the guides and the URL of the installation, so each is written at its first request and then cached.

export interface Documents {
  /** `GET /openapi.json` */
  readonly openApi: Handler<PublicContext>;
  /** `GET /asyncapi.json` */
  readonly asyncApi: Handler<PublicContext>;
  /** `GET /llms.txt`: every page with its URL. */
  readonly llms: Handler<PublicContext>;
  /** `GET /llms-full.txt`: the text of every page. */
  readonly llmsFull: Handler<PublicContext>;
  /** `GET /docs/{page}.md` */
  readonly markdown: Handler<PublicContext>;
  /** The pages of the documentation: the guides, then the reference. */
  pages(gateway: Gateway): Promise<readonly DocsPage[]>;
  /** The index for the search in the pages. */
  index(gateway: Gateway): Promise<DocsIndex>;
}

interface Written {
  readonly body: Buffer;
  /** A strong ETag, including its quotes. */
  readonly etag: string;
}

const TEXT_TYPE = 'text/plain; charset=utf-8';
const MARKDOWN_TYPE = 'text/markdown; charset=utf-8';

/** `endpoints` returns those of the route table. It is a function, because the table contains these handlers. */
export function createDocuments(endpoints: () => readonly Endpoint[]): Documents {
  const openApi = once((gateway) => createOpenApi(endpoints(), gateway));
  const pages = once(async (gateway) => [...(await gateway.guides.list()), ...referencePages(openApi(gateway))]);
  const index = once(async (gateway) => createDocsIndex(await pages(gateway)));
  return {
    openApi: handlerOf(
      JSON_TYPE,
      once((gateway) => write(JSON.stringify(openApi(gateway)))),
    ),
    asyncApi: handlerOf(
      JSON_TYPE,
      once((gateway) => write(JSON.stringify(createAsyncApi(gateway)))),
    ),
    llms: handlerOf(
      TEXT_TYPE,
      once(async (gateway) => write(listOf(gateway.baseUrl, await pages(gateway)))),
    ),
    llmsFull: handlerOf(
      TEXT_TYPE,
      once(async (gateway) => write((await pages(gateway)).map(({ markdown }) => markdown.trim()).join('\n\n---\n\n'))),
    ),
    async markdown(context) {
      const slug = pathParam(context, 'page');
      const page = (await pages(context.gateway)).find((each) => each.slug === slug);
      if (!page) throw new GatewayError('route_not_found', 'There is no such page. /llms.txt lists all pages.');
      return respond(context, MARKDOWN_TYPE, write(page.markdown));
    },
    pages,
    index,
  };
}

/** Returns a function that calls `make` once per gateway and keeps the result. A rejected result is not kept. */
function once<Value>(make: (gateway: Gateway) => Value): (gateway: Gateway) => Value {
  const made = new WeakMap<Gateway, { readonly value: Value }>();
  return (gateway) => {
    const known = made.get(gateway);
    if (known) return known.value;
    const value = make(gateway);
    made.set(gateway, { value });
    if (value instanceof Promise) value.catch(() => made.delete(gateway));
    return value;
  };
}

function write(text: string): Written {
  const body = Buffer.from(text);
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` };
}

function handlerOf(
  contentType: string,
  written: (gateway: Gateway) => Written | Promise<Written>,
): Handler<PublicContext> {
  return async (context) => respond(context, contentType, await written(context.gateway));
}

function respond({ request }: PublicContext, contentType: string, { body, etag }: Written): GatewayResponse {
  const headers = { etag, 'cache-control': 'public, max-age=300' };
  if (noneMatchHits(request.headers['if-none-match'], etag)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, 'content-type': contentType }, body };
}

/** Returns the list of pages in the format of https://llmstxt.org. */
function listOf(baseUrl: string, pages: readonly DocsPage[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const parts = groups.map((group) => {
    const own = pages.filter((page) => page.group === group);
    return [
      `## ${group}`,
      own
        .map(({ slug, title, description }) => `- [${title}](${baseUrl}${pagePath(slug)}.md): ${description}`)
        .join('\n'),
    ].join('\n\n');
  });
  return [
    '# Patchbay',
    '> A self-hosted gateway for media and models: one API, many providers, and the account behind it.',
    `The API is described for tools in ${baseUrl}/openapi.json and ${baseUrl}/asyncapi.json. All pages in one file: ${baseUrl}/llms-full.txt.`,
    ...parts,
    '',
  ].join('\n\n');
}
