import type { Contract } from '../../contract/model/contract.ts';
import type { SendRequest } from '../requests/send.ts';

/** How to reach a service. */
interface Service {
  /** Its URL, as the user has set it. */
  base: string;
  send: SendRequest;
  credentials: { headers: Record<string, string> };
}

/**
 * Checks whether the URL of a service lacks the path of the contract's server, so that every request would get 404.
 * @param contract its operations without path parameters are asked for, at most three
 * @throws Error with the URL to set
 */
export async function checkBasePath({ operations }: Contract, service: Service): Promise<void> {
  const { base, send, credentials } = service;
  const own = new URL(base).pathname.replace(/\/$/, '');
  // Other paths must be encoded first; one that can be sent as it is will do.
  const readable = operations.filter(
    ({ method, path, basePaths }) => method === 'get' && /^[\w/.~-]+$/.test(path + basePaths[0]),
  );
  const statusOf = async (basePath: string, target: string): Promise<number> => {
    const request = { method: 'GET', target, headers: credentials.headers, body: undefined };
    return (await send({ ...request, basePath })).status;
  };
  for (const { path, basePaths } of readable.slice(0, 3)) {
    const [server = ''] = basePaths;
    if (server === '' || own.endsWith(server)) continue;
    const given = await statusOf(own, path);
    if (given !== 404) return;
    const below = await statusOf(own + server, path);
    if (below !== 404)
      throw new Error(
        `${base} has no ${path}, but ${server}${path}, because the contract's server has a path.\n  Set it: --url ${new URL(base).origin}${own}${server}`,
      );
  }
}
