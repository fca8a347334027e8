// Traces of single requests, for the few that are sampled. Names and attributes come from lists of ours, as the labels of
// metrics do: no key, organisation, address or content.

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The span of a request or a session, which ends when its response or its socket has ended. */
export interface RequestSpan {
  set(attributes: SpanAttributes): void;
  /** The error code of a failed request. Safe to repeat. */
  end(code?: string): void;
}

/**
 * An open span is found by the id of its work: of the request, the session, the video or the webhook delivery. Each
 * function that makes a part of the work knows this id anyway, so nothing else is passed on, and work that is not sampled
 * costs a look into an almost empty map.
 */
export interface Tracing {
  /**
   * The span of a request or a session, if it is sampled: if the caller's W3C `traceparent` says so, or, without that
   * header, by chance. Undefined for other requests.
   */
  request(id: string, traceparent: string | undefined): RequestSpan | undefined;
  /**
   * Runs `work` in a span below that of `id`, whose `traceparent` it gets for a call to another server. Without such a
   * span it just runs.
   */
  within<T>(
    id: string | undefined,
    name: string,
    attributes: SpanAttributes,
    work: (traceparent?: string) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs a job in a trace of its own, with a link to the request of `origin`; undefined: there is no span. Its span is
   * that of each of `ids`.
   */
  job<T>(kind: string, ids: readonly string[], origin: string | undefined, work: () => Promise<T>): Promise<T>;
  /** The request that the work of `id` began with, as `traceparent`; undefined if it is not sampled. */
  origin(id: string | undefined): string | undefined;
}

/** For an installation without OTEL_EXPORTER_OTLP_ENDPOINT. */
export const noTracing: Tracing = {
  request: () => undefined,
  within: (_id, _name, _attributes, work) => work(),
  job: (_kind, _ids, _origin, work) => work(),
  origin: () => undefined,
};
