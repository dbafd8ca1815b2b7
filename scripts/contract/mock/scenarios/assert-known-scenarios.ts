/** @throws Error that lists all scenarios, if one of the names does not exist */
export function assertKnownScenarios(names: readonly string[], all: readonly { name: string }[]): void {
  const unknown = names.find((wanted) => !all.some(({ name }) => name === wanted));
  const known = all.map(({ name }) => name).join(', ') || 'none';
  if (unknown !== undefined) throw new Error(`There is no scenario ${unknown}. Scenarios: ${known}.`);
}
