import { connect } from 'node:net';

/** What came back for some bytes. */
export interface RawResponse {
  /** None where the connection was closed without one. */
  status: number | 'none';
  /** By name in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Neither an answer nor an end came in time. */
  hung: boolean;
}

const closed: RawResponse = { status: 'none', headers: {}, body: '', hung: false };

/** How long there may be nothing after which what was sent is ended, and then how long the other side may take. */
const silenceMs = 300;
const patienceMs = 8_000;

/**
 * Sends bytes over a connection of their own, and reads the first answer that is no 1xx. Where none comes, for the bytes
 * may be half a request only, our side is closed.
 * @param bytes in Latin-1
 */
export function sendBytes(port: number, bytes: string): Promise<RawResponse> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () =>
      socket.write(bytes, 'latin1'),
    );
    const half = setTimeout(() => socket.end(), silenceMs);
    const late = setTimeout(() => over({ ...closed, hung: true }), patienceMs);
    const over = (response: RawResponse) => {
      clearTimeout(half);
      clearTimeout(late);
      socket.destroy();
      resolve(response);
    };
    socket.on('error', () => {});
    socket.on('close', () => over(answerIn(text) ?? closed));
    socket.on('end', () => over(answerIn(text) ?? closed));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const response = answerIn(text);
      if (response) over(response);
    });
  });
}

function answerIn(text: string): RawResponse | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = Number(first.slice(9, 12));
  const rest = text.slice(end + 4);
  if (status < 200) return answerIn(rest);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
  const length = Number(headers['content-length'] ?? 0);
  if (rest.length < length) return undefined;
  return { status, headers, body: Buffer.from(rest.slice(0, length), 'latin1').toString(), hung: false };
}
