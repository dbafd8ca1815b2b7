import { headerOf } from '../../contract/mock/scenarios/scenario.ts';
import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse } from '../requests/send.ts';
import {
  type GeneratedRequest,
  type SerializedRequest,
  serializeRequest,
  type TestCase,
} from '../requests/serialize.ts';

/** The ETags of resources, by the path of each. */
interface EntityTags {
  /** Keeps the ETag of a response, and forgets that of a resource that a request may have changed. */
  learn(wire: SerializedRequest, response: HttpResponse): void;
  /**
   * Sets `If-Match` to the ETag of the resource, if the operation has this parameter. Reads the resource if its ETag is not
   * known. The request is unchanged if it is wrong about `If-Match`, or if the resource has no ETag.
   * @param read sends a GET for the resource @returns undefined if there was no response
   */
  withTag(
    attempt: TestCase,
    read: (request: GeneratedRequest) => Promise<HttpResponse | undefined>,
  ): Promise<GeneratedRequest>;
}

/** Creates a store without ETags. @param operations all operations of the contract */
export function createEntityTags(operations: readonly TestedOperation[]): EntityTags {
  const tags = new Map<string, string>();
  const learn: EntityTags['learn'] = ({ method, target }, { status, headers: { etag } }) => {
    const path = pathOf(target);
    if (method !== 'GET' && method !== 'HEAD') tags.delete(path);
    if (status < 300 && etag !== undefined) tags.set(path, etag);
  };
  return {
    learn,
    async withTag({ request, wrong }, read) {
      const [name] = headerOf(request.header, 'if-match') ?? [];
      if (name === undefined || wrong?.field.toLowerCase().startsWith('header/if-match')) return request;
      const reader = readerOf(request.operation, operations);
      if (!reader) return request;
      const reading = {
        operation: reader,
        path: request.path,
        query: {},
        header: request.header,
        cookie: {},
      };
      const own = reader.parameters.flatMap((each) => (each.in === 'header' ? [each.name] : []));
      const header = Object.fromEntries(
        Object.entries(request.header).filter(([each]) => own.includes(each)),
      );
      const target = pathOf(serializeRequest({ ...reading, header }).target);
      if (!tags.has(target)) {
        const response = await read({ ...reading, header });
        if (response) learn({ method: 'GET', target, headers: {}, body: undefined }, response);
      }
      const tag = tags.get(target);
      return tag === undefined ? request : { ...request, header: { ...request.header, [name]: tag } };
    },
  };
}

const pathOf = (target: string): string => target.split('?')[0] ?? '';

/** Returns the GET of the resource: that of the same path, or else of the longest path above it. */
function readerOf(
  { path }: TestedOperation,
  operations: readonly TestedOperation[],
): TestedOperation | undefined {
  return operations
    .filter((each) => each.method === 'get' && `${path}/`.startsWith(`${each.path}/`))
    .toSorted((one, other) => other.path.length - one.path.length)[0];
}
