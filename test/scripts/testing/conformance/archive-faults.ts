import type { ConformanceCheck } from '../../../../scripts/testing/conformance/check-result.ts';

/**
 * The faults that the archive's server can have, each with the operation and the check that name it. The list was written
 * before the checks.
 */
export const archiveFaults = {
  'ignores the limit of a list': ['listCollections', 'keeps-limit'],
  'repeats an item on the next page': ['listCollections', 'pages-whole'],
  'leaves out an item between pages': ['listCollections', 'pages-whole'],
  'never ends a list': ['listCollections', 'pages-whole'],
  'accepts a stale ETag': ['changeCollection', 'rejects-old-etag'],
  'accepts updates without If-Match': ['changeCollection', 'rejects-invalid'],
  'omits the ETag': ['getCollection', 'headers'],
  'keeps the ETag after a change': ['getCollection', 'changes-etag'],
  'drops a property of a create': ['getCollection', 'keeps-creation'],
  'returns another value than it stores': ['getCollection', 'keeps-creation'],
  'takes over a read-only property': ['createCollection', 'ignores-read-only'],
  'ignores updates': ['changeCollection', 'keeps-update'],
  'resets what a patch leaves out': ['changeCollection', 'keeps-update'],
  'ignores deletions': ['getCollection', 'gone-after-deletion'],
  'finds everything': ['getCollection', 'gone-after-deletion'],
  'shows items of other tenants': ['getCollection', 'isolates-tenants'],
  'limits without Retry-After': ['createBox', 'headers'],
  'accepts requests without a tenant': ['createCollection', 'rejects-invalid'],
  'returns a wrong Location': ['createCollection', 'found-at-location'],
  'returns errors as another media type': ['getCollection', 'media-type'],
  'returns an undocumented status': ['createCollection', 'status-documented'],
  'adds a property to a closed object': ['getCollection', 'body'],
  'returns another type two levels down': ['getObject', 'body'],
  'ignores the idempotency key': ['createCollection', 'repeats-once'],
  'accepts an upload without a file': ['uploadScan', 'rejects-invalid'],
  'accepts every method': ['listCollections', 'rejects-method'],
  'accepts too many shelves': ['createCollection', 'rejects-invalid'],
  'rejects invalid boxes with 409': ['createBox', 'rejects-invalid'],
  'rejects short names': ['createCollection', 'accepts-valid'],
  'returns 500 for long labels': ['createBox', 'no-server-error'],
  'returns an invalid Retry-After': ['createBox', 'headers'],
  'accepts any token': ['getCollection', 'requires-auth'],
  'ignores the token': ['getCollection', 'requires-auth'],
  'loses created objects': ['getObject', 'found-after-creation'],
  'shows a write-only property': ['getObject', 'body'],
  'never responds for odd collections': ['getCollection', 'responds'],
} as const satisfies Record<string, readonly [operation: string, check: ConformanceCheck]>;

export type ArchiveFault = keyof typeof archiveFaults;

/** Behaviors of the server that are no findings, or that end a run. */
export type ArchiveBehavior =
  /** The token that `rotateKey` replaces stops working. */
  | 'ends the token at a rotation'
  /** The session works until `logOut`, while the token stays valid. */
  | 'ends the session'
  /** Any request for a collection ends the token. */
  | 'ends the token when a collection is read'
  /** The service ends, and its connections break, while it processes such a request. */
  | 'crashes when a collection is changed'
  /** The service ends after the response. */
  | 'stops when asked to'
  /** A 429 has a Retry-After of 60 s. */
  | 'limits for a minute'
  /** A missing collection gets 404 for every method. */
  | 'looks up before it checks the method';
