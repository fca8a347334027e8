import type { WebSocket } from 'ws';
import type { Channel, ChannelListener } from '../../lib/audio/channel';
import type { Clock } from '../../lib/domain/clock';

/**
 * A peer that does not answer a close frame within this time is cut off. Otherwise it would hold its memory for half a
 * minute.
 */
const CLOSE_TIMEOUT_MS = 3_000;

/** Adapts a `ws` socket to a channel. */
export function createWsChannel(socket: WebSocket, clock: Clock): Channel {
  let listener: ChannelListener | undefined;
  let isClosed = false;
  // No message may be lost between the upgrade and the session.
  socket.pause();
  socket.on('message', (data, isBinary) => {
    // Safe: with the default `nodebuffer` every message is one Buffer.
    const bytes = data as Buffer;
    listener?.message(isBinary ? bytes : bytes.toString('utf8'));
  });
  socket.on('pong', () => listener?.pong());
  socket.on('close', () => {
    isClosed = true;
    cancelGoodbye();
    listener?.closed();
  });
  // An invalid frame also closes the socket, with the code of the violation; without a listener the error would end the
  // process.
  socket.on('error', () => {});
  let cancelGoodbye = () => {};

  return {
    listen(next) {
      listener = next;
      if (isClosed) next.closed();
      else socket.resume();
    },
    send(text) {
      if (socket.readyState === socket.OPEN) socket.send(text);
    },
    unsentBytes: () => socket.bufferedAmount,
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    ping() {
      if (socket.readyState === socket.OPEN) socket.ping();
    },
    close(code, reason) {
      if (isClosed) return;
      socket.close(code, reason);
      // The peer's close frame must be read, even if reading was paused.
      socket.resume();
      cancelGoodbye();
      cancelGoodbye = clock.after(CLOSE_TIMEOUT_MS, () => socket.terminate());
    },
    cut: () => socket.terminate(),
  };
}
