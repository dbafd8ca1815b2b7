import type { OperationId } from '../../generated/operations.ts';
import type { Input, ResponseTo } from '../own-contract/handler.ts';
import type { CallerStore } from '../security/auth/caller-store.ts';
import type { EgressPolicy } from '../security/egress/policy.ts';
import type { ResolveHost } from '../security/egress/resolver.ts';
import type { Secrets } from '../security/secrets/encryption.ts';
import type { RunIdempotent } from './idempotency.ts';

/** Dependencies that every handler receives in addition to its input. */
export interface HandlerDependencies {
  store: CallerStore;
  /** Returns milliseconds since 1970. */
  now: () => number;
  runIdempotent: RunIdempotent;
  secrets: Secrets;
  addressPolicy: EgressPolicy;
  resolve: ResolveHost;
}

/** A handler of one operation. */
export type ApiHandler<Id extends OperationId> = (
  input: Input<Id>,
  dependencies: HandlerDependencies,
) => Promise<ResponseTo<Id>>;
