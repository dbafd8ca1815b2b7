/**
 * Derives an ID for an operation without one from its method and path: `GET /pets/{petId}` becomes `getPetsPetId`.
 */
export function deriveOperationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}
