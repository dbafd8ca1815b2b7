/**
 * Waits until all promises are settled, then throws the first error. `Promise.all` throws at the first error: the caller
 * could roll a transaction back while its other statements still run, and these would then be committed.
 */
export async function settleAll(...promises: readonly Promise<unknown>[]): Promise<void> {
  const results = await Promise.allSettled(promises);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
