import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Each of these has one place, because copies disagree. */
const once: Record<string, { pattern: RegExp; place: string; copies: string[] }> = {
  'tells whether a value is a JSON object': {
    pattern: /typeof (\w+) === 'object' && \1 !== null && !Array\.isArray\(\1\)/,
    place: 'server/lib/json-object.ts',
    copies: [],
  },
  'follows a chain of references': {
    pattern: /(for \(let|while \().{0,200}\$ref/,
    place: 'scripts/lib/json-pointer.ts',
    copies: [
      // Follows references from file to file, in YAML nodes.
      'scripts/contract/load/source-map.ts',
      // Follows references in parsed files, to find those that never end.
      'scripts/contract/load/bundle-within-limits.ts',
      // Follows the names of compact schemas.
      'server/contract/schema-checks.ts',
    ],
  },
  'merges the parameters of a path and an operation': {
    // A list of the path's and the operation's own.
    pattern:
      /\.\.\.\w+\((item|shared|common)\b[^\]{};]*\.\.\.[^\]{};]*operation|[\w.]+\.parameters\)?, \.\.\.[\w.(]*\.parameters/,
    place: 'scripts/contract/model/read-parameters.ts',
    copies: [],
  },
  'names an operation without an ID': {
    pattern: /(?<!function )deriveOperationId\(/,
    place: 'scripts/contract/model/read-operations.ts',
    copies: [],
  },
  'lists the methods of HTTP': {
    pattern: /\bpatch\W{1,5}trace\b/i,
    place: 'scripts/lib/openapi-document.ts',
    copies: [],
  },
};

const sources = globSync('{scripts,client,server}/**/*.ts').map((file) => ({
  file: file.replaceAll('\\', '/'),
  text: readFileSync(file, 'utf8').replaceAll(/\s+/g, ' '),
}));

test.each(Object.entries(once))('only one file %s', (_what, { pattern, place, copies }) => {
  const found = sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);
  expect(found.toSorted()).toEqual([place, ...copies].toSorted());
});
