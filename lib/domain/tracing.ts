// Traces of the few requests that are sampled. As with the labels of metrics, names and attributes come from fixed
// lists of ours and contain no key, organisation, address or content.

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The span of a request or a session, which ends when its response or its socket has ended. */
export interface RequestSpan {
  set(attributes: SpanAttributes): void;
  /** Ends the span, with the error code of a failed request. Safe to repeat. */
  end(code?: string): void;
}

/**
 * Open spans are found by the id of their work: of the request, the session, the video or the webhook delivery. Every
 * function that does a part of the work knows this id, so nothing else needs to be passed on. Work that is not sampled
 * costs only a lookup in an almost empty map.
 */
export interface Tracing {
  /**
   * The span of a request or a session, if it is sampled: if the caller's W3C `traceparent` says so, or, without that
   * header, by chance. Undefined for other requests.
   */
  request(id: string, traceparent: string | undefined): RequestSpan | undefined;
  /**
   * Runs `work` in a child span of the span of `id`, and passes it a `traceparent` for calls to other servers. Without
   * a span of `id`, just runs `work`.
   */
  within<T>(
    id: string | undefined,
    name: string,
    attributes: SpanAttributes,
    work: (traceparent?: string) => Promise<T>,
  ): Promise<T>;
  /**
   * Runs a job in a trace of its own, linked to the request of `origin`; if `origin` is undefined, there is no span.
   * The span can be found by each of `ids`.
   */
  job<T>(kind: string, ids: readonly string[], origin: string | undefined, work: () => Promise<T>): Promise<T>;
  /** Returns the request that the work of `id` began with, as `traceparent`; undefined if it is not sampled. */
  origin(id: string | undefined): string | undefined;
}

/** Tracing that records nothing, for an installation without OTEL_EXPORTER_OTLP_ENDPOINT. */
export const noTracing: Tracing = {
  request: () => undefined,
  within: (_id, _name, _attributes, work) => work(),
  job: (_kind, _ids, _origin, work) => work(),
  origin: () => undefined,
};
