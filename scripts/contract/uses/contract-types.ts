import ts from 'typescript';
import { oncePer } from '../../lib/once.ts';
import { isHttpMethod } from '../../lib/openapi-document.ts';
import {
  createClosure,
  factsOf,
  interfaceIn,
  literalsIn,
  membersOf,
  nameOf,
  payloadsOf,
  receivedSchemas,
  schemasIn,
} from './contract-facts.ts';
import type { ContractFacts } from './manifest.ts';

/** A part of the contract that a declaration in the generated types stands for. */
export type ContractPart =
  | {
      kind: 'property';
      /** The shared schema, such as `Contact`; undefined for a schema inside an operation. */
      schema: string | undefined;
      /** The operation with the schema, such as `GET /contacts`; undefined for a shared schema. */
      operation: string | undefined;
      property: string;
      /** The shared schemas that the type of the property names. */
      refersTo: string[];
    }
  | { kind: 'parameter'; operation: string; in: string; name: string };

/** The types that openapi-typescript generated from a contract. */
export interface ContractTypes {
  file: ts.SourceFile;
  /** The methods of each path, such as `get`. */
  methods: ReadonlyMap<string, readonly string[]>;
  /** The names of webhooks. */
  events: ReadonlySet<string>;
  /** The names of the webhooks whose payload has a shared schema. */
  eventsOf: (schema: string) => readonly string[];
  /** The shared schemas that responses contain. */
  received: ReadonlySet<string>;
  /** The values of enumerations. */
  literals: ReadonlySet<string>;
  facts: Omit<ContractFacts, 'elsewhere'>;
  /** Returns the shared schemas that operations contain, such as `GET /contacts` and `POST webhook contact.created`. */
  schemasOf: (operations: ReadonlySet<string>) => ReadonlySet<string>;
  /** Returns the part of the contract that a declaration stands for; undefined if the contract does not contain it. */
  partOf: (declaration: ts.Node) => ContractPart | undefined;
}

/** Returns the source files of a program that openapi-typescript has generated. */
export const findContractTypes = (program: ts.Program): ts.SourceFile[] =>
  program
    .getSourceFiles()
    .filter((file) => ['paths', 'components'].every((name) => interfaceIn(file, name) !== undefined));

/** Reads what the generated types say about the contract. */
export function readContractTypes(file: ts.SourceFile): ContractTypes {
  const methods = new Map<string, string[]>();
  const operations = new Map<string, string>();
  const texts = new Map<string, string>();
  for (const [kind, label] of [
    ['paths', ''],
    ['webhooks', 'webhook '],
  ] as const)
    for (const item of membersOf(interfaceIn(file, kind)))
      for (const member of membersOf(item.type)) {
        const method = nameOf(member);
        if (!isHttpMethod(method) || member.questionToken) continue;
        const path = nameOf(item);
        if (kind === 'paths') methods.set(path, [...(methods.get(path) ?? []), method]);
        const operation = `${method.toUpperCase()} ${label}${path}`;
        texts.set(operation, member.getText(file));
        const [, id] = /^operations\[["'](.*)["']\]$/.exec(member.type?.getText(file) ?? '') ?? [];
        if (id !== undefined) operations.set(id, operation);
      }
  const payloads = payloadsOf(file, operations);
  const closure = createClosure(file);
  return {
    eventsOf: (schema) => payloads.get(schema) ?? [],
    file,
    methods,
    events: new Set(membersOf(interfaceIn(file, 'webhooks')).map(nameOf)),
    received: receivedSchemas(file, closure),
    schemasOf: (wanted) => closure([...wanted].map((each) => texts.get(each) ?? '')),
    literals: literalsIn(file),
    facts: factsOf(file),
    partOf: oncePer((declaration) =>
      declaration.getSourceFile() === file ? partAt(declaration, file, operations) : undefined,
    ),
  };
}

function partAt(
  declaration: ts.Node,
  file: ts.SourceFile,
  operations: ReadonlyMap<string, string>,
): ContractPart | undefined {
  if (!ts.isPropertySignature(declaration)) return undefined;
  const steps = stepsTo(declaration);
  const [top, first = '', second, third, ...rest] = steps;
  const property = steps.at(-1) ?? '';
  const refersTo = schemasIn(declaration.type?.getText(file) ?? '');
  if (top === 'components' && first === 'schemas')
    return third === undefined
      ? undefined
      : { kind: 'property', schema: second, operation: undefined, property, refersTo };
  if (top === 'components')
    return { kind: 'property', schema: undefined, operation: undefined, property, refersTo };
  const isInPath = top === 'paths' || top === 'webhooks';
  const operation = isInPath
    ? `${second?.toUpperCase()} ${top === 'webhooks' ? 'webhook ' : ''}${first}`
    : operations.get(first);
  const inside = isInPath ? [third, ...rest] : [second, third, ...rest];
  if (operation === undefined || inside[0] === undefined) return undefined;
  if (inside[0] === 'parameters')
    return inside[2] === undefined
      ? undefined
      : { kind: 'parameter', operation, in: inside[1] ?? '', name: inside[2] };
  // Inside a body: after the media type.
  const at = inside.indexOf('content');
  return at >= 0 && inside.length > at + 2
    ? { kind: 'property', schema: undefined, operation, property, refersTo }
    : undefined;
}

/** Returns the names of a declaration's interface and of each property around it, outermost first. */
function stepsTo(declaration: ts.Node): string[] {
  const steps: string[] = [];
  for (let node: ts.Node = declaration; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isPropertySignature(node)) steps.unshift(nameOf(node));
    if (ts.isInterfaceDeclaration(node)) steps.unshift(node.name.text);
  }
  return steps;
}
