import { exampleRequests } from '../requests/examples.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import { serializeRequest } from '../requests/serialize.ts';
import { documentsSuccess } from './check-case.ts';
import { credentialsFor, missingOptions, withCredentials, withoutPinned } from './credentials.ts';
import type { PhaseContext } from './phases.ts';

/**
 * Sends one request to check the credentials. If the service rejected them, every request would be a finding.
 * @throws Error if the service returns 401
 */
export async function checkCredentials(
  { session, requests, credentials, operations }: PhaseContext,
  spaces: readonly RequestSpace[],
): Promise<void> {
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
  const wire = withCredentials(serializeRequest(withoutPinned(attempt, own)), own);
  const response = await session.send({ attempt, wire }, true);
  if (!(response instanceof Error) && response.status === 401)
    throw new Error(
      `The service rejects the credentials: ${attempt.request.operation.id} returned 401.\n  Set valid credentials: ${(space && missing(space).join(' ')) || "--header 'Authorization: Bearer …', or --query"}.`,
    );
}
