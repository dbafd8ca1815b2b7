import type { DatabaseError } from 'pg';

/**
 * Whether an error is from PostgreSQL itself. Such an error is recognized by properties that it always has, not by its
 * class, so that services on the embedded database need not load pg.
 */
export const isServerError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && 'length' in error;
