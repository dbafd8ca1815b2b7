import { connect } from 'node:net';

/** The response to the bytes that were sent. */
export interface RawResponse {
  /** `none` if the connection was closed without a response. */
  status: number | 'none';
  /** By name in lower case. */
  headers: Record<string, string>;
  body: string;
  /** Whether the server neither responded nor closed the connection before the timeout. */
  hung: boolean;
}

const closed: RawResponse = { status: 'none', headers: {}, body: '', hung: false };

/** If no response arrives within this time, the client half-closes the connection. */
const silenceMs = 300;
// Long, because tests run on busy machines.
const timeoutMs = 30_000;

/**
 * Sends bytes on a separate connection and reads the first final response. If no response arrives within `silenceMs`,
 * the client half-closes the connection, because the request may be incomplete.
 * @param bytes as Latin-1
 * @param isComplete whether the request is known to be complete, so that the connection stays open
 */
export function sendBytes(port: number, bytes: string, isComplete = false): Promise<RawResponse> {
  return new Promise((resolve) => {
    let text = '';
    let half: NodeJS.Timeout | undefined;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes, 'latin1');
      // Not earlier, because connecting takes long on a busy machine.
      if (!isComplete) half = setTimeout(() => socket.end(), silenceMs);
    });
    const late = setTimeout(() => over({ ...closed, hung: true }), timeoutMs);
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
