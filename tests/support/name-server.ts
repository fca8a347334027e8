import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export interface NameServer {
  /** Address and port, as resolvers take them. */
  readonly address: string;
  close(): Promise<void>;
}

const A = 1;
const AAAA = 28;

/** A name server on loopback. It never answers `silent` names; names that are not listed do not exist. */
export async function startNameServer(
  names: Readonly<
    Record<string, { a?: readonly number[][]; aaaa?: readonly number[][]; silent?: 'a' | 'aaaa' | 'all' }>
  >,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const { name, type, end } = readQuestion(query);
    const entry = names[name];
    if (entry?.silent === 'all' || (entry?.silent === 'a' && type === A) || (entry?.silent === 'aaaa' && type === AAAA))
      return;
    const records = (type === A ? entry?.a : type === AAAA ? entry?.aaaa : undefined) ?? [];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(entry === undefined ? 0x8183 : 0x8180, 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    // Each record: a pointer to the question's name, type, class IN, 60 seconds, length, address.
    const answers = records.map((bytes) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length, ...bytes]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...answers]), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}
