import { httpMethods, type OpenApiDocument, type PathItemObject } from '../../../lib/openapi-document.ts';
import type { Described } from './document-for-readers.ts';

/** An operation in the reference, or an event with one of its methods. */
export interface ReferenceEntry {
  kind: 'operation' | 'event';
  /** The anchor of the entry. */
  id: string;
  title: string;
  method: string;
  /** The path of an operation, or the type of an event. */
  path: string;
  tag: string;
  description: string;
}

/** Returns all entries of the reference, in the contract's order. */
export function referenceEntries({ paths = {}, webhooks = {} }: OpenApiDocument): ReferenceEntry[] {
  const read = (kind: ReferenceEntry['kind'], items: Record<string, PathItemObject>) =>
    Object.entries(items).flatMap(([path, item]) =>
      httpMethods.flatMap((method) => {
        const operation: Described | undefined = item[method];
        if (!operation) return [];
        const {
          operationId: id = `${method}-${path}`,
          summary = id,
          description = '',
          tags = [],
        } = operation;
        return [{ kind, id, title: summary, method, path, tag: tags[0] ?? '', description }];
      }),
    );
  return [...read('operation', paths), ...read('event', webhooks)];
}
