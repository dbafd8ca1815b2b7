import type { Contract } from '../../contract/model/contract.ts';
import { exampleRequests } from '../requests/examples.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import type { SendRequest } from '../requests/send.ts';
import { documentsSuccess } from './check-case.ts';
import { credentialsFor, missingOptions, wireOf } from './credentials.ts';
import type { Session } from './session.ts';

/**
 * Sends one request to check the credentials. If the service rejected them, every request would be a finding.
 * @throws Error if the service returns 401
 */
export async function checkCredentials(session: Session, spaces: readonly RequestSpace[]): Promise<void> {
  const { requests, credentials, operations } = session;
  const secured = spaces.filter(
    ({ operation }) => operation.securitySchemes.length > 0 && documentsSuccess(operation),
  );
  const missing = ({ operation }: RequestSpace) =>
    missingOptions(operation, credentialsFor(operation, credentials, operations));
  const given = secured.filter((each) => missing(each).length === 0);
  const candidates = given.length > 0 ? given : secured;
  const space = candidates.find(({ operation }) => operation.method === 'get') ?? candidates[0];
  const [attempt] = space ? exampleRequests(requests, space) : [];
  if (!attempt) return;
  const own = credentialsFor(attempt.request.operation, credentials, operations);
  const sent = await session.send(attempt, wireOf(attempt, own), true);
  if (!(sent instanceof Error) && sent.response.status === 401)
    throw new Error(
      `The service rejects the credentials: ${attempt.request.operation.id} returned 401.\n  Set valid credentials: ${missingOptions(attempt.request.operation, { headers: {}, query: {} }).join(' ')}.`,
    );
}

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
