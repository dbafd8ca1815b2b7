import { exampleRequests } from '../requests/examples.ts';
import type { RequestSpace } from '../requests/request-space.ts';
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
