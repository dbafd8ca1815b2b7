import { type IncomingHttpHeaders, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';

interface Sent {
  headers?: Record<string, string | string[]>;
  body?: string | Buffer | undefined;
}

/** Sends a request with the target and the headers as they are, which `fetch` would change. @param base the server's URL */
export function sendUnchanged(base: string, method: string, path: string, { headers = {}, body }: Sent = {}) {
  const { hostname, port } = new URL(base);
  return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>((resolve, reject) => {
    request({ hostname, port, method, path, headers, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: received } = response;
      resolve({ status, headers: received, text: await readText(response) });
    })
      .once('error', reject)
      .end(body);
  });
}
