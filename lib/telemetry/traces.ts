import type { Span, Tracer } from '@opentelemetry/api';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { codeOf } from '../domain/errors';
import type { LogFields } from '../domain/log';
import type { Tracing } from '../domain/telemetry';

// Traces for an OTLP receiver. The packages of OpenTelemetry are loaded only when they are used. A request that is not
// sampled costs one random number and some lookups in an almost empty map: it gets no span, and neither do its attempts
// and jobs. AsyncLocalStorage is not used, because with it Node 20 tracks every promise of the process.

export interface Traces {
  readonly tracing: Tracing;
  /** The id of the trace to which a log line belongs. */
  traceIdOf(fields: LogFields): string | undefined;
  /** Sends what is left, for at most CLOSE_TIMEOUT_MS. */
  close(): Promise<void>;
}

export interface TracesOptions {
  /** The base URL of an OTLP/HTTP receiver; spans go to `/v1/traces` below it. */
  readonly endpoint: string;
  /** The share of the requests without a `traceparent` that are sampled, 0 to 1. */
  readonly ratio: number;
  readonly version: string;
  readonly random: () => number;
  /** Called when the receiver stops accepting traces, with the error, and when it accepts them again. */
  readonly onChange: (error: Error | undefined) => void;
}

interface Open {
  readonly span: Span;
  /** The request with which the work began, as `traceparent`. */
  readonly origin: string;
}

const CLOSE_TIMEOUT_MS = 3_000;
const SAMPLED = 1;
/** `ExportResultCode.SUCCESS` of OpenTelemetry, whose packages are loaded only when they are used. */
const EXPORTED = 0;

export async function openTraces({ endpoint, ratio, version, random, onChange }: TracesOptions): Promise<Traces> {
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
        exporter: reportChanges(
          new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: CLOSE_TIMEOUT_MS }),
          onChange,
        ),
      }),
    ],
  });
  const tracer: Tracer = provider.getTracer('patchbay', version);
  /** The open spans by the ids of their work. */
  const open = new Map<string, Open>();
  const root = api.ROOT_CONTEXT;

  function enter(ids: readonly string[], entry: Open): void {
    for (const id of ids) open.set(id, entry);
  }

  /** Removes the entry, unless a later span has replaced it because a client repeated the id of a request. */
  function leave(ids: readonly string[], entry: Open): void {
    for (const id of ids) if (open.get(id) === entry) open.delete(id);
  }

  /** Runs the work and ends the span with it. */
  async function run<T>(span: Span, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      fail(span, codeOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  function fail(span: Span, code: string): void {
    span.setAttribute('error.type', code).setStatus({ code: api.SpanStatusCode.ERROR });
  }

  const tracing: Tracing = {
    request(id, traceparent) {
      const caller = parseTraceparent(traceparent);
      if (caller ? !caller.sampled : random() >= ratio) return undefined;
      const parent = caller ? api.trace.setSpanContext(root, contextOf(caller)) : root;
      const span = tracer.startSpan('request', { kind: api.SpanKind.SERVER }, parent);
      const entry: Open = { span, origin: traceparentOf(span) };
      enter([id], entry);
      let hasEnded = false;
      return {
        set: (attributes) => void span.setAttributes(attributes),
        end(code) {
          if (hasEnded) return;
          hasEnded = true;
          if (code !== undefined) fail(span, code);
          span.end();
          leave([id], entry);
        },
      };
    },

    within(id, name, attributes, work) {
      const parent = id === undefined ? undefined : open.get(id);
      if (!parent) return work();
      const options = { kind: api.SpanKind.CLIENT, attributes };
      const span = tracer.startSpan(name, options, api.trace.setSpan(root, parent.span));
      return run(span, () => work(traceparentOf(span)));
    },

    async job(kind, ids, origin, work) {
      const request = parseTraceparent(origin);
      if (origin === undefined || !request) return work();
      const span = tracer.startSpan(
        `job ${kind}`,
        { kind: api.SpanKind.CONSUMER, attributes: { 'patchbay.job': kind }, links: [{ context: contextOf(request) }] },
        root,
      );
      const entry: Open = { span, origin };
      enter(ids, entry);
      try {
        return await run(span, work);
      } finally {
        leave(ids, entry);
      }
    },

    origin: (id) => (id === undefined ? undefined : open.get(id)?.origin),
  };

  return {
    tracing,
    traceIdOf({ requestId, videoId, deliveryId, jobId }) {
      if (open.size === 0) return undefined;
      const id = requestId ?? videoId ?? deliveryId ?? jobId;
      return id === undefined ? undefined : open.get(id)?.span.spanContext().traceId;
    },
    close: () => provider.shutdown(),
  };
}

/** Wraps an exporter so that it reports when its exports begin to fail, and when they succeed again. */
export function reportChanges(exporter: SpanExporter, onChange: TracesOptions['onChange']): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const code: number = result.code;
        const fails = code !== EXPORTED;
        const error = result.error ?? new Error('The receiver refused the traces.');
        if (fails !== isFailing) onChange(fails ? error : undefined);
        isFailing = fails;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

interface CallerTrace {
  readonly traceId: string;
  readonly spanId: string;
  readonly sampled: boolean;
}

const contextOf = ({ traceId, spanId }: CallerTrace) => ({ traceId, spanId, traceFlags: SAMPLED, isRemote: true });

/** Parses the header `traceparent`; undefined if it is absent or malformed. */
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
