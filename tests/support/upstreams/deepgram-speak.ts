import { pieceOf, speakText } from './speaking';
import type { RecordedSocket, Upstream } from './upstream';
import { parseText, say } from './upstream';

/** Speech as binary messages; texts are buffered until `Flush`. */
export function speakAura(recorded: RecordedSocket, upstream: Upstream): void {
  const { socket, url } = recorded;
  const rate = Number(url.searchParams.get('sample_rate') ?? 24_000);
  let pending = '';
  let sequence = 0;
  let speaking: { readonly text: string; readonly silence: () => void } | undefined;
  say(recorded, upstream, {
    type: 'Metadata',
    request_id: '6a0bb4f0',
    model_name: url.searchParams.get('model'),
    model_version: '1',
    model_uuid: 'a',
  });

  socket.on('message', (data: Buffer, isBinary) => {
    const message = isBinary ? undefined : parseText(data);
    if (message?.type === 'Speak') pending += String(message.text);
    else if (message?.type === 'Flush') {
      const text = pending;
      pending = '';
      const silence = speakText(text, rate, recorded, upstream, {
        piece: (bytes) => void (socket.readyState === socket.OPEN && socket.send(bytes)),
        done: () => {
          speaking = undefined;
          say(recorded, upstream, { type: 'Flushed', sequence_id: sequence++ });
        },
      });
      speaking = { text, silence };
    } else if (message?.type === 'Clear') {
      speaking?.silence();
      pending = '';
      // Audio that is already on its way is still delivered.
      if (speaking && socket.readyState === socket.OPEN) socket.send(pieceOf(speaking.text, rate));
      speaking = undefined;
      say(recorded, upstream, { type: 'Cleared', sequence_id: sequence++ });
    } else if (message?.type === 'Close') socket.close(1000);
    else socket.close(1008, 'DATA-0000');
  });
}
