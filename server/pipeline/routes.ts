import type { IncomingMessage, ServerResponse } from 'node:http';
import { Router } from 'express';
import { type Refusal, refusal } from '../errors.ts';
import type { JudgedOperation } from './contract.ts';

/** Where a request has arrived: at an operation, or at the refusal to be given once its token is judged. */
export type Destination =
  | { operation: JudgedOperation; path: Record<string, unknown>; refused?: undefined }
  | { operation?: undefined; path?: undefined; refused: Refusal };

type Arrive = (destination: Destination, req: IncomingMessage, res: ServerResponse) => Promise<void>;

/** Express's router over the contract's paths; everything else arrives as a refusal. */
export function routesOf(operations: readonly JudgedOperation[], arrive: Arrive): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const byPath = Map.groupBy(operations, ({ path }) => path);

  for (const [path, group] of byPath) {
    const route = router.route(expressPath(path));
    const byMethod = new Map(group.map((operation) => [operation.method.toUpperCase(), operation]));
    const refused = refusal('methodNotAllowed', {
      message: `This path takes ${[...byMethod.keys()].join(', ')}.`,
      headers: { Allow: [...byMethod.keys()].join(', ') },
    });
    // `all` rather than `get`: Express would let HEAD in with GET, and answer OPTIONS itself.
    route.all((req, res) => {
      const operation = byMethod.get(req.method);
      return arrive(operation ? { operation, path: req.params } : { refused }, req, res);
    });
  }

  router.use((req, res) => arrive({ refused: refusal('noSuchPath') }, req, res));
  // The router could not decode the path; the pipeline says so once the token is judged.
  router.use((error: unknown, req: IncomingMessage, res: ServerResponse, next: (error: unknown) => void) =>
    error instanceof URIError ? arrive({ refused: refusal('malformed') }, req, res) : next(error),
  );
  return router;
}

/** `/contacts/{id}` as path-to-regexp writes it: `/contacts/:"id"`; what it would read as syntax is escaped. */
function expressPath(template: string): string {
  return template
    .split(/(\{[^}]+\})/)
    .map((part) =>
      part.startsWith('{') ? `:"${part.slice(1, -1)}"` : part.replace(/[{}()[\]+?!:*\\]/g, '\\$&'),
    )
    .join('');
}
