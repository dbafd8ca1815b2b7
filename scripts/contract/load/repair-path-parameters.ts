import { isObject, type JsonObject, listOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { defineOwn } from '../../../server/lib/own-property.ts';
import { dereference } from '../../lib/json-pointer.ts';
import { isHttpMethod, type OpenApiDocument } from '../../lib/openapi-document.ts';
import type { Note } from './diagnosis.ts';

/**
 * Declares the parameters that a path has and no operation describes, as any text, and removes path parameters that the path does
 * not have: no request can contain them.
 * @param document a bundled OpenAPI 3.1 document, which is not changed
 */
export function repairPathParameters(document: OpenApiDocument): {
  document: OpenApiDocument;
  notes: Note[];
} {
  const notes: Note[] = [];
  const namesIn = (list: unknown): string[] =>
    listOf(list)
      .map((each) => dereference(document, each))
      .flatMap((each) => (isObject(each) && each.in === 'path' ? [String(each.name)] : []));
  const paths: Record<string, object> = {};
  for (const [path, given] of Object.entries(document.paths ?? {})) {
    const at = `/paths/${escapePointer(path)}`;
    const names = Array.from(path.matchAll(/\{([^}]+)\}/g), ([, name = '']) => name);
    /** Removes the parameters of a path item or an operation that the path does not have. */
    const withoutUnknown = (node: JsonObject, pointer: string): JsonObject => {
      const unknown = new Set(namesIn(node.parameters).filter((name) => !names.includes(name)));
      if (unknown.size === 0) return node;
      for (const name of unknown)
        notes.push({
          pointer: `${pointer}/parameters`,
          sentence: `The path parameter ${name} is declared, but the path ${path} has no {${name}}. It is ignored.`,
          fix: 'Remove the parameter, or add it to the path.',
        });
      const kept = listOf(node.parameters).filter(
        (each) => !namesIn([each]).some((name) => unknown.has(name)),
      );
      return { ...node, parameters: kept };
    };
    const item = withoutUnknown({ ...given }, at);
    const common = namesIn(item.parameters);
    for (const [method, operation] of Object.entries(item)) {
      if (!isHttpMethod(method) || !isObject(operation)) continue;
      const known = withoutUnknown(operation, `${at}/${method}`);
      const declared = new Set([...common, ...namesIn(known.parameters)]);
      const missing = [...new Set(names)].filter((name) => !declared.has(name));
      for (const name of missing)
        notes.push({
          pointer: `${at}/${method}`,
          sentence: `The path ${path} has {${name}}, but no parameter declares it. It is read as any text.`,
          fix: `Add to parameters: { name: ${name}, in: path, required: true, schema: … }`,
        });
      const added = missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
      item[method] =
        added.length === 0 ? known : { ...known, parameters: [...listOf(known.parameters), ...added] };
    }
    defineOwn(paths, path, item);
  }
  return { document: document.paths === undefined ? document : { ...document, paths }, notes };
}
