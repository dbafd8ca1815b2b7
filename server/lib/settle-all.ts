/**
 * Waits until all promises are settled, then throws the first error. `Promise.all` would throw while other statements
 * of a transaction still run, which the rollback would then not undo.
 */
export async function settleAll(...promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
