import { createHttpServer } from '../../server/http';
import { createAudioSockets } from '../../server/sockets/audio-sockets';
import { answerMeasureRequests } from './audio-child';
import { openGateway } from './open-gateway';

// The gateway process of `audio.ts`. Everything is switched on except Next's pages.

async function main(): Promise<void> {
  const { gateway, key } = await openGateway();
  const server = createHttpServer({
    gateway,
    nextHandler: (_request, response) => void response.writeHead(404).end(),
    sessions: createAudioSockets(gateway),
  });
  answerMeasureRequests();
  process.send?.({ port: await server.listen(0, '127.0.0.1'), key });
  process.on('SIGTERM', () => {
    gateway.drain();
    void Promise.all([gateway.audio.drain(), server.close()])
      .then(() => gateway.close())
      .then(() => process.exit(0));
  });
}

void main();
