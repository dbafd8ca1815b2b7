/** An operation without an id is named after its method and path: `GET /pets/{petId}` is `getPetsPetId`. */
export function deriveOperationId(method: string, path: string): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method.toLowerCase() + words.map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');
}
