import type { DatabaseError } from 'pg';

/**
 * Whether an error is from PostgreSQL itself. It is recognized by fields that its messages always have, so that
 * services on the embedded database need not load pg.
 */
export const isServerError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && 'length' in error;
