import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

// A mail server that stores what it receives: enough SMTP for a client that sends one e-mail.

export interface MailSink {
  readonly url: string;
  /** Everything received so far, unparsed. */
  readonly mails: readonly { readonly to: string; readonly text: string }[];
  /** Resolves with the next e-mail, or the first unread one. */
  next(): Promise<{ readonly to: string; readonly text: string }>;
  close(): Promise<void>;
}

/** At a free port, unless `port` is given. */
export async function startMailSink(port = 0): Promise<MailSink> {
  const mails: { to: string; text: string }[] = [];
  const sockets = new Set<Socket>();
  let read = 0;
  let arrived: () => void = () => undefined;

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    let to = '';
    let data: string[] | undefined;
    let rest = '';
    const say = (line: string) => socket.write(`${line}\r\n`);
    say('220 sink');
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (data) {
          if (line !== '.') {
            data.push(line);
            continue;
          }
          mails.push({ to, text: decoded(data.join('\n')) });
          data = undefined;
          say('250 kept');
          arrived();
        } else if (/^rcpt to:/i.test(line)) {
          to = /<([^>]*)>/.exec(line)?.[1] ?? '';
          say('250 ok');
        } else if (/^data/i.test(line)) {
          data = [];
          say('354 go on');
        } else if (/^quit/i.test(line)) {
          say('221 bye');
          socket.end();
        } else {
          say('250 ok');
        }
      }
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  // Safe: it listens on a port.
  const address = server.address() as AddressInfo;

  return {
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    async next() {
      while (mails.length <= read) await new Promise<void>((resolve) => (arrived = resolve));
      return mails[read++]!;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Quoted-printable wraps long lines, such as a link. */
function decoded(mail: string): string {
  return mail
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
