import type { IncomingMessage } from 'node:http';
import type { RequestHead } from './exchange.ts';

/** The parts of a request that are available before authentication. */
export interface RequestCredentials {
  headers: IncomingMessage['headers'];
  url: string;
  /**
   * Returns the client's address. It is a function, because each object with a getter would have a separate shape,
   * which slows down garbage collection.
   */
  address: () => string;
  /** The ID of the operation, if the contract has one for this request. */
  operation: string | undefined;
  /**
   * The names of the security schemes to check: those of one alternative of the operation's security. The credentials of
   * other alternatives are left out. Empty if the request is not checked by scheme.
   */
  schemes: readonly string[];
  /** The scopes that the alternative demands, by the name of the scheme. */
  scopes: Readonly<Record<string, readonly string[]>>;
}

/**
 * Authenticates a request. It is the type of a method, because TypeScript then lets a function name the type of its own
 * requests, such as `Request` of Express.
 * @throws ApiError or PipelineError if the credentials are missing or invalid
 */
export type Authenticate<Caller, Request = RequestHead> = {
  authenticate(
    credentials: RequestCredentials,
    request: Request,
  ): Promise<AuthResult<Caller>> | AuthResult<Caller>;
}['authenticate'];

export interface AuthResult<Caller> {
  caller: Caller;
  scopes: ReadonlySet<string>;
  /** Headers for every response to this request, such as the state of the caller's rate limit. */
  headers?: Record<string, string>;
}
