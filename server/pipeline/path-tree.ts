import createFindMyWay from 'find-my-way';

export interface PathTree<Value> {
  /** Adds a path template such as `/contacts/{id}`. If two templates match the same paths, the first one wins. */
  add: (template: string, value: Value) => void;
  /**
   * Finds the value of the template that matches a path, with the encoded values of its parameters. Segments without
   * parameters take precedence (OpenAPI 3.1.1, section 4.8.8.2).
   */
  find: (path: string) => { value: Value; parameters: readonly string[] } | undefined;
}

/** Creates an empty path tree. The time of a lookup does not depend on the number of path templates. */
export function createPathTree<Value>(): PathTree<Value> {
  const router = createFindMyWay({ maxParamLength: Number.MAX_SAFE_INTEGER });
  return {
    add(template, value) {
      const { pattern, count } = patternOf(template);
      if (!router.hasRoute('GET', pattern)) router.on('GET', pattern, () => {}, { value, count });
    },
    find(path) {
      // Escaped, so that find-my-way does not decode the path.
      const found = router.find('GET', path.replaceAll('%', '%25'));
      if (!found) return undefined;
      const { value, count }: { value: Value; count: number } = found.store;
      const parameters = Array.from({ length: count }, (_, index) => found.params[`p${index}`] ?? '');
      // `/contacts/` is not `/contacts/{id}` with an empty id.
      return parameters.includes('') ? undefined : { value, parameters };
    },
  };
}

/** Returns a template in the syntax of find-my-way, and the number of its parameters. */
function patternOf(template: string): { pattern: string; count: number } {
  let count = 0;
  const pattern = template.replaceAll(':', '::').replaceAll(/\{[^}]*\}([^/]?)/g, (_match, next: string) => {
    count += 1;
    // A parameter that is followed by text within its segment is as long as possible, as in Express.
    return `:p${count - 1}${next === '' ? '' : '([^/]+)'}${next}`;
  });
  return { pattern, count };
}
