import type { OperationId } from '../../../generated/operations.ts';
import { type ErrorName, throwApiError } from '../../errors.ts';
import { bearerToken, mockTokenPrefix } from '../../lib/bearer-token.ts';
import { type Caller, isOperationId } from '../../own-contract/handler.ts';
import { updateRow } from '../../storage/queries/rows.ts';
import { findTokenByDigest, type TokenRow } from '../../storage/queries/tokens.ts';
import type { Store } from '../../storage/store.ts';
import { networkOf } from '../egress/parse-address.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { isTokenShaped, tokenDigest } from './token-format.ts';

export interface AuthenticateOptions {
  store: Store;
  /** Returns milliseconds since 1970. */
  now: () => number;
  limits: AuthLimits;
  /** Returns how many requests a call of an operation counts as in the rate limit. */
  costOf: (operation: OperationId | undefined) => number;
}

export interface AuthLimits {
  /** The rate limits of tokens. */
  tokens: RateLimiter;
  /** The limits on failed authentications, by client network. */
  failures: RateLimiter;
}

const isOfMock =
  'This is a token of the mock server, and not of this service. Create one: npm run -s parley -- token create --help';

/**
 * Creates a function that authenticates requests by their token and applies rate limits (D29–D33). The function throws
 * ApiError if the token is missing, invalid, expired or revoked, or if a rate limit is exceeded.
 */
export function createAuthenticate({ store, now, limits, costOf }: AuthenticateOptions) {
  const noteUse = createUseNotes(store, now);

  return async function authenticate(credentials: {
    headers: { authorization?: string | undefined };
    address: () => string;
    operation: string | undefined;
  }) {
    const fail = (why: ErrorName & `token${string}`, details?: { message: string }): never => {
      const { allowed, headers, retryAfter } = limits.failures.take(networkOf(credentials.address()));
      if (!allowed)
        throwApiError('rateLimited', {
          message: `Too many failed attempts. Wait ${retryAfter} seconds.`,
          headers,
        });
      return throwApiError(why, {
        fields: 'header/Authorization',
        headers: { ...headers, 'WWW-Authenticate': 'Bearer' },
        ...details,
      });
    };

    const presented = bearerToken(credentials.headers.authorization);
    if (presented === undefined) return fail('tokenMissing');
    if (presented.startsWith(mockTokenPrefix)) return fail('tokenUnknown', { message: isOfMock });
    if (!isTokenShaped(presented)) return fail('tokenUnknown');
    const token = await store.read((db) => findTokenByDigest(db, tokenDigest(presented)));
    if (!token) return fail('tokenUnknown');
    if (token.revoked_at !== null) return fail('tokenRevoked');
    if (token.expires_at <= now()) return fail('tokenExpired');

    const { allowed, headers, retryAfter } = limits.tokens.take(
      String(token.id),
      costOf(isOperationId(credentials.operation) ? credentials.operation : undefined),
      token.rate_per_minute ?? token.company_rate_per_minute ?? undefined,
    );
    if (!allowed)
      throwApiError('rateLimited', { message: `Too many requests. Wait ${retryAfter} seconds.`, headers });
    noteUse(token);
    const scopes = new Set(token.scopes.split(' '));
    const caller: Caller = {
      companyId: token.company_id,
      userId: token.user_id,
      tokenId: token.id,
      scopes,
    };
    return { caller, scopes, headers };
  };
}

/** Creates a function that updates `last_used_at` of a token at most once a minute, without delaying requests. */
function createUseNotes(store: Store, now: () => number) {
  const underWay = new Set<number>();
  return (token: TokenRow): void => {
    const minute = Math.floor(now() / 60_000) * 60_000;
    const { id, last_used_at } = token;
    if ((last_used_at ?? 0) >= minute || underWay.has(id)) return;
    underWay.add(id);
    store
      .write((db) => updateRow(db, 'tokens', token, { last_used_at: minute }))
      // The error is ignored, because the next request retries the update.
      .catch(() => {})
      .finally(() => underWay.delete(id));
  };
}
