import cluster from 'node:cluster';
import http from 'node:http';
import { AggregatorRegistry, Registry, type MetricObjectWithValues, type MetricValue } from 'prom-client';

// `GET /metrics` on METRICS_PORT. With WEB_CONCURRENCY the primary process serves it for all of its workers: it
// requests the metrics of each over the channel of the cluster. A worker that does not answer, because it is starting
// or busy, is left out, so that the others can still be seen.

export interface MetricsServer {
  /** The actual port. */
  readonly port: number;
  close(): Promise<void>;
}

/** Scrapers send small requests and read the response at once. */
const REQUEST_MS = 5_000;
const MAX_CONNECTIONS = 32;
/** Longer than a worker needs to read its state, and shorter than the 10 s after which scrapers give up by default. */
const WORKER_TIMEOUT_MS = 4_000;

/** Rejects if the port cannot be opened. `read` returns the metrics as text. */
export async function startMetricsServer(
  { port, host }: { readonly port: number; readonly host: string },
  read: () => Promise<string>,
): Promise<MetricsServer> {
  const server = http.createServer(
    { headersTimeout: REQUEST_MS, requestTimeout: REQUEST_MS, maxHeaderSize: 8_192 },
    (req, res) => {
      const [path] = (req.url ?? '').split('?');
      const isRead = req.method === 'GET' || req.method === 'HEAD';
      if (path !== '/metrics' || !isRead) {
        res.writeHead(path === '/metrics' ? 405 : 404, path === '/metrics' ? { allow: 'GET, HEAD' } : {}).end();
        return;
      }
      read().then(
        (text) =>
          res
            .writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE, 'cache-control': 'no-store' })
            .end(text),
        () => res.writeHead(500).end(),
      );
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface MetricsRequest {
  readonly metricsRequest: number;
}
interface MetricsAnswer {
  readonly metricsAnswer: number;
  readonly metrics: readonly MetricObjectWithValues<MetricValue<string>>[];
}

/** Answers the primary's requests for metrics. Called in a worker process. */
export function answerPrimary(registry: Registry): void {
  process.on('message', (message: unknown) => {
    if (!isRequest(message)) return;
    registry.getMetricsAsJSON().then(
      (metrics) => {
        // Without its primary the worker ends too, so it does not answer.
        if (process.connected)
          process.send?.({ metricsAnswer: message.metricsRequest, metrics } satisfies MetricsAnswer);
      },
      () => undefined,
    );
  });
}

/**
 * Returns a function that reads the metrics of all workers, with a label `worker` that distinguishes them. Called in
 * the primary process.
 */
export function readWorkers(): () => Promise<string> {
  let requests = 0;
  return async () => {
    const metricsRequest = (requests += 1);
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected());
    const answers = await Promise.all(
      workers.map(
        (worker) =>
          new Promise<MetricsAnswer['metrics'] | undefined>((resolve) => {
            const end = (metrics?: MetricsAnswer['metrics']) => {
              clearTimeout(late);
              worker?.off('message', receive);
              worker?.off('exit', leave);
              resolve(metrics);
            };
            const receive = (message: unknown) => {
              if (isAnswer(message) && message.metricsAnswer === metricsRequest) end(message.metrics);
            };
            const leave = () => end();
            const late = setTimeout(leave, WORKER_TIMEOUT_MS);
            worker?.on('message', receive);
            worker?.once('exit', leave);
            worker?.send({ metricsRequest } satisfies MetricsRequest, undefined, undefined, (error) => {
              if (error) end();
            });
          }),
      ),
    );
    const answered = answers.filter((metrics) => metrics !== undefined);
    return AggregatorRegistry.aggregate([...answered]).metrics();
  };
}

function isRequest(message: unknown): message is MetricsRequest {
  return typeof message === 'object' && message !== null && 'metricsRequest' in message;
}

function isAnswer(message: unknown): message is MetricsAnswer {
  return typeof message === 'object' && message !== null && 'metricsAnswer' in message;
}
