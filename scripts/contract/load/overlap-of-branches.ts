import { isObject } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { isHint } from '../../testing/schema-values/format-generators.ts';
import { canonicalJson } from '../../testing/schema-values/schema.ts';
import { mapsOfNames } from './visit-objects.ts';

/**
 * Finds branches of a `oneOf` that no value can match alone.
 * @returns what the `oneOf` has, for a sentence; undefined if there are no such branches
 */
export function overlapOfBranches(document: object, branches: readonly unknown[]): string | undefined {
  const textOf = (schema: unknown) => canonicalJson(withoutAnnotations(dereference(document, schema)));
  const texts = branches.map(textOf);
  if (new Set(texts).size < texts.length) return 'equal branches, so no value matches exactly one';
  const includesAnother = (branch: unknown): boolean => {
    const schema = dereference(document, branch);
    const parts: unknown = isObject(schema) ? schema.allOf : undefined;
    return Array.isArray(parts) && parts.some((part) => texts.includes(textOf(part)));
  };
  return branches.some(includesAnother)
    ? 'a branch that includes another, so no value matches only it'
    : undefined;
}

const isAnnotation = (keyword: string, value: unknown): boolean =>
  /^(title|description|default|examples?|content(Encoding|MediaType)|x-.*)$/.test(keyword) ||
  (keyword === 'format' && isHint(value));

function withoutAnnotations(node: unknown, key = ''): unknown {
  if (Array.isArray(node)) return node.map((each) => withoutAnnotations(each));
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([name, each]) => mapsOfNames.test(key) || !isAnnotation(name, each))
      .map(([name, each]) => [name, withoutAnnotations(each, name)]),
  );
}
