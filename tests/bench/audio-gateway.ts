import { createHttpServer } from '../../server/http';
import { createAudioSockets } from '../../server/sockets/audio-sockets';
import { answerMeasures } from './audio-child';
import { openGateway } from './open-gateway';

// The gateway as a process of `audio.ts`: everything is switched on but Next's pages.

async function main(): Promise<void> {
  const { gateway, key } = await openGateway();
  const server = createHttpServer({
    gateway,
    nextHandler: (_request, response) => void response.writeHead(404).end(),
    sessions: createAudioSockets(gateway),
  });
  answerMeasures();
  process.send?.({ port: await server.listen(0, '127.0.0.1'), key });
  process.on('SIGTERM', () => {
    gateway.drain();
    void Promise.all([gateway.audio.drain(), server.close()])
      .then(() => gateway.close())
      .then(() => process.exit(0));
  });
}

void main();
