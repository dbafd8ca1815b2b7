import type { HttpMethod, SecurityRequirement } from '../../lib/openapi-document.ts';
import type { Contract } from '../model/contract.ts';
import type { Parameter } from '../model/operation.ts';
import { hasMarkedProperties } from './read-write-types.ts';

interface Row {
  id: string;
  method: HttpMethod;
  path: string;
  security: readonly SecurityRequirement[];
  statuses: string[];
  defaults: string[];
}

/**
 * Generates the operation table: what a server needs to know about each operation besides its types.
 * @returns the source of a module that exports `operations`, `OperationTypes` and `contractVersion`
 */
export function generateOperationTable(contract: Contract): string {
  const rows = rowsOf(contract);
  const isMarked = hasMarkedProperties(contract.document);
  const imported = isMarked ? 'HandledOperation, paths' : 'paths';
  return [
    // A contract that describes only webhooks has no operations.
    ...(rows.length > 0 ? [`import type { ${imported} } from './types.js';`, ''] : []),
    '/** The version of the contract. */',
    `export const contractVersion = ${JSON.stringify(contract.document.info?.version ?? '')};`,
    '',
    '/** Each operation: method, path, scopes, documented statuses, and query parameters with defaults. */',
    'export const operations = {',
    ...rows.flatMap(({ id, ...row }) => [
      `  ${ownKey(id)}: {`,
      ...Object.entries(row).map(([name, value]) => `    ${name}: ${JSON.stringify(value)},`),
      '  },',
    ]),
    '} as const;',
    '',
    '/** The types of each operation. */',
    'export interface OperationTypes {',
    ...rows.map(({ id, path, method }) => {
      const type = `paths[${JSON.stringify(path)}][${JSON.stringify(method)}]`;
      return `  ${key(id)}: ${isMarked ? `HandledOperation<${type}>` : type};`;
    }),
    '}',
    '',
    'export type OperationId = keyof OperationTypes;',
    '',
  ].join('\n');
}

const rowsOf = (contract: Contract): Row[] =>
  contract.operations.map(({ id, method, path, security, responses, parameters }) => ({
    id,
    method,
    path,
    security,
    statuses: Object.keys(responses),
    defaults: parameters
      .filter((parameter) => parameter.in === 'query' && hasDefault(contract, parameter))
      .map(({ name }) => name),
  }));

/** Whether the schema of a parameter has a default. That of a shared schema counts, too. */
const hasDefault = (contract: Contract, { node }: Parameter): boolean =>
  contract.follow(node.schema).node.default !== undefined;

const key = (id: string): string => (/^[A-Za-z_$][\w$]*$/.test(id) ? id : JSON.stringify(id));

/** The key of an object literal, in which `__proto__` would set the prototype. */
const ownKey = (id: string): string => (id === '__proto__' ? `['__proto__']` : key(id));
