import { makeSound } from './script';
import type { RecordedSocket, Upstream } from './upstream';
import { parseText, say } from './upstream';

/** A tenth of a second for each word, in pieces of that length; the words are kept until `Flush`. */
export function speakAura(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url } = recorded;
  const rate = Number(url.searchParams.get('sample_rate') ?? 24_000);
  let pending = '';
  let sequence = 0;
  let running = 0;
  say(recorded, upstream, { type: 'Metadata', request_id: '6a0bb4f0', model_name: url.searchParams.get('model'), model_version: '1', model_uuid: 'a' });

  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parseText(data);
    if (message?.type === 'Speak') pending += String(message.text);
    else if (message?.type === 'Flush') {
      const words = pending.split(/\s+/).filter(Boolean).length;
      pending = '';
      const run = ++running;
      let left = words;
      const next = () => {
        if (run !== running || socket.readyState !== socket.OPEN) return;
        if (left-- > 0) {
          socket.send(makeSound(0.1, rate));
          setTimeout(next, 5);
        } else say(recorded, upstream, { type: 'Flushed', sequence_id: sequence++ });
      };
      if (!upstream.faults.hangOnStop) setTimeout(next, 5);
    } else if (message?.type === 'Clear') {
      running++;
      pending = '';
      // What is on its way when the message comes is still heard.
      if (socket.readyState === socket.OPEN) socket.send(makeSound(0.1, rate));
      say(recorded, upstream, { type: 'Cleared', sequence_id: sequence++ });
    } else if (message?.type === 'Close') socket.close(1000);
    else socket.close(1008, 'DATA-0000');
  });
}
