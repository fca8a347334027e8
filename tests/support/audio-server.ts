import { systemClock } from '../../lib/domain/clock';
import { createHttpServer } from '../../server/http';
import { createAudioSockets } from '../../server/sockets/audio-sockets';
import { makeGateway, type TestGateway, type TestGatewayOptions } from './gateway';
import { openSocket, type SocketClient, type SocketOptions } from './socket-client';

// The gateway behind its real HTTP server on a real port, and clients of its audio sockets.

export interface AudioServer extends TestGateway {
  readonly port: number;
  transcribe(options?: CallOptions): SocketClient;
  speak(options?: CallOptions): SocketClient;
}

interface CallOptions extends SocketOptions {
  /** With its question mark. */
  readonly query?: string;
}

export async function startAudioServer(options: TestGatewayOptions = {}): Promise<AudioServer> {
  const test = await makeGateway({ clock: systemClock, ...options });
  const server = createHttpServer({
    gateway: test.gateway,
    nextHandler: (_request, response) => void response.writeHead(404).end(),
    sessions: createAudioSockets(test.gateway),
  });
  const port = await server.listen(0, '127.0.0.1');
  const open =
    (path: string) =>
    ({ key = test.firstRun.keys.test, query = '', ...socket }: CallOptions = {}) =>
      // An empty key: no key is sent.
      openSocket(`ws://127.0.0.1:${port}${path}${query}`, key === '' ? socket : { ...socket, key });
  return {
    ...test,
    port,
    transcribe: open('/v1/audio/transcriptions/ws'),
    speak: open('/v1/audio/speech/ws'),
    async close(closing) {
      test.gateway.drain();
      await Promise.all([test.gateway.audio.drain(), server.close()]);
      await test.close(closing);
    },
  };
}
