import type { DatabaseError } from 'pg';

/**
 * Whether PostgreSQL itself has said this, and not pg. Told by what its messages always have (Error and Notice Message
 * Fields in its manual), so that a service on the embedded database need not load pg to ask.
 */
export const isServerError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && 'length' in error;
