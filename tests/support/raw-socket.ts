import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

// A WebSocket client that can violate every rule: it writes frames exactly as given, and reports the received ones
// frame by frame.

export interface RawFrame {
  readonly opcode: number;
  readonly payload?: Uint8Array | string;
  /** False: further frames of the message follow. */
  readonly fin?: boolean;
  /** The three reserved bits, 0 to 7. */
  readonly rsv?: number;
}

export interface ReceivedFrame {
  readonly opcode: number;
  readonly fin: boolean;
  readonly payload: Buffer;
}

export interface RawSocket {
  /** The size of each TCP write, if given. */
  send(frames: readonly RawFrame[], chopBytes?: number): Promise<void>;
  /** The next frame; undefined when the connection has ended. */
  next(): Promise<ReceivedFrame | undefined>;
  end(): void;
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export async function openRawSocket(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawSocket> {
  const line = connect(port, '127.0.0.1');
  line.setNoDelay(true);
  line.on('error', () => {});
  await once(line, 'connect');
  const lines = [
    `GET ${path} HTTP/1.1`,
    'Host: localhost',
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
  ];
  line.write([...lines, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\r\n'));

  let received = Buffer.alloc(0);
  let isUpgraded = false;
  let isEnded = false;
  let wake = () => {};
  line.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes]);
    wake();
  });
  line.on('close', () => {
    isEnded = true;
    wake();
  });
  const changed = () =>
    new Promise<void>((resolve) => {
      wake = resolve;
    });

  function take(): ReceivedFrame | undefined {
    if (received.length < 2) return undefined;
    // Safe: there are two bytes.
    const first = received[0]!;
    const short = received[1]! & 0x7f;
    const header = short === 126 ? 4 : short === 127 ? 10 : 2;
    if (received.length < header) return undefined;
    const length =
      short === 126 ? received.readUInt16BE(2) : short === 127 ? Number(received.readBigUInt64BE(2)) : short;
    if (received.length < header + length) return undefined;
    const frame = {
      opcode: first & 0x0f,
      fin: (first & 0x80) !== 0,
      payload: Buffer.from(received.subarray(header, header + length)),
    };
    received = received.subarray(header + length);
    return frame;
  }

  for (; !isUpgraded && !isEnded;) {
    const end = received.indexOf('\r\n\r\n');
    if (end < 0) await changed();
    else {
      if (!received.subarray(0, end).toString().startsWith('HTTP/1.1 101'))
        throw new Error(received.subarray(0, end).toString());
      received = received.subarray(end + 4);
      isUpgraded = true;
    }
  }

  return {
    async send(frames, chopBytes) {
      const bytes = Buffer.concat(frames.map(encode));
      const size = chopBytes ?? bytes.length;
      for (let at = 0; at < bytes.length; at += size) {
        line.write(bytes.subarray(at, at + size));
        // One turn of the event loop, so that the parts are sent separately.
        if (chopBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async next() {
      for (;;) {
        const frame = take();
        if (frame) return frame;
        if (isEnded) return undefined;
        await changed();
      }
    },
    end: () => line.destroy(),
  };
}

function encode({ opcode, payload = '', fin = true, rsv = 0 }: RawFrame): Buffer {
  const bytes = Buffer.from(payload);
  const mask = randomBytes(4);
  const head = bytes.length < 126 ? Buffer.alloc(2) : bytes.length < 65_536 ? Buffer.alloc(4) : Buffer.alloc(10);
  head[0] = (fin ? 0x80 : 0) | (rsv << 4) | opcode;
  head[1] = 0x80 | (bytes.length < 126 ? bytes.length : bytes.length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  // Safe: a mask has four bytes.
  const masked = bytes.map((byte, index) => byte ^ mask[index % 4]!);
  return Buffer.concat([head, mask, masked]);
}
