/**
 * Handles items at the same time, one on each resource.
 * @returns the results in the order of the items
 */
export async function inParallel<Resource, Item, Result>(
  resources: readonly Resource[],
  items: readonly Item[],
  handle: (resource: Resource, item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  await Promise.all(
    resources.map(async (resource) => {
      for (const [index, item] of waiting) results[index] = await handle(resource, item);
    }),
  );
  return results;
}
