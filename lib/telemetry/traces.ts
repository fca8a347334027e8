import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, Tracer } from '@opentelemetry/api';
import { codeOf } from '../domain/errors';
import type { RequestSpan, SpanAttributes, Tracing } from '../domain/tracing';

// Traces for an OTLP receiver. The packages of OpenTelemetry are loaded only when they are used. A request that is not
// sampled costs one random number: it gets no span and no context, and neither do its attempts and jobs.

export interface Traces {
  readonly tracing: Tracing;
  /** The id of the current trace, for log lines. */
  traceId(): string | undefined;
  /** Sends what is left, for at most CLOSE_LIMIT_MS. */
  close(): Promise<void>;
}

export interface TracesOptions {
  /** The base address of an OTLP/HTTP receiver; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** The share of the requests without a `traceparent` that are sampled, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  readonly random: () => number;
}

interface Active {
  readonly span: Span;
  /** The request with which the work began. */
  readonly origin: string;
}

const CLOSE_LIMIT_MS = 3_000;
const SAMPLED = 1;

export async function openTraces({ endpoint, ratio, version, random }: TracesOptions): Promise<Traces> {
  const [api, { BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'patchbay', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: CLOSE_LIMIT_MS }),
      }),
    ],
  });
  const tracer: Tracer = provider.getTracer('patchbay', version);
  const active = new AsyncLocalStorage<Active>();
  let openSpans = 0;
  const root = api.ROOT_CONTEXT;

  /** Call `leave` once for each call, when the span has ended. */
  function enter<T>(span: Span, origin: string, work: () => Promise<T>): Promise<T> {
    openSpans += 1;
    return active.run({ span, origin }, work);
  }

  /**
   * While a storage is enabled, Node 20 follows every promise of the process, of all requests: 17 % of the processor time
   * of a short message. So it is enabled only while there is a span.
   */
  function leave(): void {
    openSpans -= 1;
    if (openSpans === 0) active.disable();
  }

  /** Ends the span with the work. */
  async function run<T>(span: Span, origin: string, work: () => Promise<T>): Promise<T> {
    try {
      return await enter(span, origin, work);
    } catch (error) {
      fail(span, codeOf(error));
      throw error;
    } finally {
      span.end();
      leave();
    }
  }

  function fail(span: Span, code: string): void {
    span.setAttribute('error.type', code).setStatus({ code: api.SpanStatusCode.ERROR });
  }

  const tracing: Tracing = {
    request(traceparent, work) {
      const caller = parseTraceparent(traceparent);
      if (caller ? !caller.sampled : random() >= ratio) return work(undefined);
      const parent = caller ? api.trace.setSpanContext(root, contextOf(caller)) : root;
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent);
      let hasEnded = false;
      const request: RequestSpan = {
        set: (attributes) => void span.setAttributes(attributes),
        end(code) {
          if (hasEnded) return;
          hasEnded = true;
          if (code !== undefined) fail(span, code);
          span.end();
          leave();
        },
      };
      return enter(span, traceparentOf(span), () => work(request));
    },

    within(name: string, attributes: SpanAttributes, work) {
      const current = active.getStore();
      if (!current) return work();
      const options = { kind: api.SpanKind.CLIENT, attributes };
      return run(tracer.startSpan(name, options, api.trace.setSpan(root, current.span)), current.origin, work);
    },

    job(kind, origin, work) {
      const request = parseTraceparent(origin);
      // A job that was enqueued without a sampled request, in the context of one: it must not become a part of it.
      if (origin === undefined || !request) return active.getStore() ? active.exit(work) : work();
      const span = tracer.startSpan(
        `job ${kind}`,
        { kind: api.SpanKind.CONSUMER, attributes: { 'patchbay.job': kind }, links: [{ context: contextOf(request) }] },
        root,
      );
      return run(span, origin, work);
    },

    current() {
      const current = active.getStore();
      return current && traceparentOf(current.span);
    },
    origin: () => active.getStore()?.origin,
  };

  return {
    tracing,
    traceId: () => active.getStore()?.span.spanContext().traceId,
    close: () => provider.shutdown(),
  };
}

interface CallerTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const contextOf = ({ traceId, spanId }: CallerTrace) => ({ traceId, spanId, traceFlags: SAMPLED, isRemote: true });

/** Undefined for a header that is absent or not well-formed. */
export function parseTraceparent(header: string | undefined): CallerTrace | undefined {
  // A later version may have further fields, separated by another hyphen.
  const [, version, traceId, spanId, flags = '', more] =
    /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || version === 'ff' || (version === '00' && more !== undefined))
    return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & SAMPLED) === SAMPLED };
}

function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext();
  return `00-${traceId}-${spanId}-01`;
}
