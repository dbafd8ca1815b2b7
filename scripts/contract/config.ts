import type { RequestListener, Server } from 'node:http';
import { resolve } from 'node:path';
import type { ErrorFormat } from '../../server/pipeline/errors.ts';
import type { AuthResult, PipelineOptions, RequestCredentials } from '../../server/pipeline/pipeline.ts';

type Authenticate = (credentials: RequestCredentials) => Promise<AuthResult<'mock'>>;

/** The options of the service in a stateful mock. */
export interface StatefulServiceOptions {
  /** Creates the authentication by mock tokens, which name their scopes. The argument has all scopes. */
  authenticateWith: (scopes: ReadonlySet<string>) => Authenticate;
  onResponse: NonNullable<PipelineOptions<'mock'>['onResponse']>;
  onError: (error: unknown) => void;
  /** Returns milliseconds since 1970. */
  now: () => number;
}

/** A project's settings for its own contract. Only `errors` and `createServer` also apply to other contracts. */
export interface ContractConfig {
  /** Path of the contract's root file, from the working directory. */
  api: string;
  /** Paths of other files with the same contract, such as its bundle. */
  copies: readonly string[];
  /** How error responses look. */
  errors: ErrorFormat;
  /** Rules that a schema cannot state, by operation ID. */
  requestRules: NonNullable<PipelineOptions<'mock'>['checks']>;
  /** Whether the mock sends an optional response header (in lower case). By default it sends all of them. */
  sendsOptionalHeader?: (header: string, prefer: string | undefined) => boolean;
  /** Creates the mock's HTTP server. It should handle malformed HTTP in the same way as the service. */
  createServer: (listener: RequestListener) => Server;
  /** Starts the service in memory for `mock --stateful`. */
  startStatefulService?: (
    options: StatefulServiceOptions,
  ) => Promise<{ listener: RequestListener; close: () => Promise<void> }>;
}

/** Whether a path, absolute or relative, refers to the project's own contract. */
export const isOwnContract = ({ api, copies }: ContractConfig, path: string): boolean =>
  [api, ...copies].some((own) => resolve(own) === resolve(path));
