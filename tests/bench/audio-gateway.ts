import { readConfig } from '../../lib/config';
import { providerDefinitions } from '../../lib/providers/registry';
import { composeGateway } from '../../server/compose';
import { createHttpServer } from '../../server/http';
import { createAudioSockets } from '../../server/sockets/audio-sockets';

// The gateway as the process of `audio.ts`: everything is switched on but Next's pages.

async function main(): Promise<void> {
  const { gateway } = await composeGateway(readConfig(process.env, providerDefinitions));
  const server = createHttpServer({ gateway, nextHandler: (_request, response) => void response.writeHead(404).end(), sessions: createAudioSockets(gateway) });
  process.send?.({ port: await server.listen(0, '127.0.0.1') });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage().rss });
  });
  process.on('SIGTERM', () => {
    gateway.drain();
    void Promise.all([gateway.audio.drain(), server.close()])
      .then(() => gateway.close())
      .then(() => process.exit(0));
  });
}

void main();
