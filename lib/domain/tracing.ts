// Traces of single requests, for the few that are sampled. Names and attributes come from lists of ours, as the labels of
// metrics do: no key, organisation, address or content.

export type SpanAttributes = Readonly<Record<string, string | number>>;

/** The span of a request, which ends when its response has been sent. */
export interface RequestSpan {
  set(attributes: SpanAttributes): void;
  /** The error code of a failed request. Safe to repeat. */
  end(code?: string): void;
}

export interface Tracing {
  /**
   * Runs `work` in the span of a request, if it is sampled: if the caller's W3C `traceparent` says so, or, without that
   * header, by chance. `span` is undefined for other requests; the caller of this function ends it.
   */
  request<T>(traceparent: string | undefined, work: (span: RequestSpan | undefined) => Promise<T>): Promise<T>;
  /** Runs `work` in a span below the current one; without a current span it just runs. */
  within<T>(name: string, attributes: SpanAttributes, work: () => Promise<T>): Promise<T>;
  /** The same for a job, in a trace of its own with a link to the request of `origin`; undefined: there is no span. */
  job<T>(kind: string, origin: string | undefined, work: () => Promise<T>): Promise<T>;
  /** The current span as `traceparent`; undefined if there is none. */
  current(): string | undefined;
  /** The request that the current work began with, as `traceparent`; undefined if it is not sampled. */
  origin(): string | undefined;
}

/** For an installation without OTEL_EXPORTER_OTLP_ENDPOINT. */
export const noTracing: Tracing = {
  request: (_traceparent, work) => work(undefined),
  within: (_name, _attributes, work) => work(),
  job: (_kind, _origin, work) => work(),
  current: () => undefined,
  origin: () => undefined,
};
