import ts from 'typescript';
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
  facts: ContractFacts;
  /** Returns the part of the contract that a declaration stands for; undefined if the contract does not contain it. */
  partOf: (declaration: ts.Node) => ContractPart | undefined;
}

const httpMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Returns the source files of a program that openapi-typescript has generated. */
export const findContractTypes = (program: ts.Program): ts.SourceFile[] =>
  program
    .getSourceFiles()
    .filter((file) => ['paths', 'components'].every((name) => interfaceIn(file, name) !== undefined));

/** Reads what the generated types say about the contract. */
export function readContractTypes(file: ts.SourceFile): ContractTypes {
  const methods = new Map<string, string[]>();
  const operations = new Map<string, string>();
  for (const [kind, label] of [
    ['paths', ''],
    ['webhooks', 'webhook '],
  ] as const)
    for (const item of membersOf(interfaceIn(file, kind)))
      for (const member of membersOf(item.type)) {
        const method = nameOf(member);
        if (!httpMethods.includes(method) || member.questionToken) continue;
        const path = nameOf(item);
        if (kind === 'paths') methods.set(path, [...(methods.get(path) ?? []), method]);
        const [, id] = /^operations\["(.*)"\]$/.exec(member.type?.getText(file) ?? '') ?? [];
        if (id !== undefined) operations.set(id, `${method.toUpperCase()} ${label}${path}`);
      }
  const known = new Map<ts.Node, ContractPart | undefined>();
  const payloads = payloadsOf(file, operations);
  return {
    eventsOf: (schema) => payloads.get(schema) ?? [],
    file,
    methods,
    events: new Set(membersOf(interfaceIn(file, 'webhooks')).map(nameOf)),
    received: receivedSchemas(file),
    facts: factsOf(file),
    partOf(declaration) {
      if (declaration.getSourceFile() !== file) return undefined;
      if (!known.has(declaration)) known.set(declaration, partAt(declaration, file, operations));
      return known.get(declaration);
    },
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

const schemasIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/components\["schemas"\]\["([^"]+)"\]/g)].map(([, name = '']) => name)),
];

/** Returns the shared schemas that responses contain, directly or through other schemas. */
function receivedSchemas(file: ts.SourceFile): Set<string> {
  const texts = new Map<string, string>();
  for (const kind of membersOf(interfaceIn(file, 'components')))
    for (const member of membersOf(kind.type))
      texts.set(`${nameOf(kind)}/${nameOf(member)}`, member.getText(file));
  const found = new Set<string>();
  const follow = (text: string) => {
    for (const [, kind = '', name = ''] of text.matchAll(/components\["(\w+)"\]\["([^"]+)"\]/g)) {
      const key = `${kind}/${name}`;
      if (found.has(key)) continue;
      found.add(key);
      follow(texts.get(key) ?? '');
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && nameOf(node) === 'responses') follow(node.getText(file));
    else if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components')
      ts.forEachChild(node, visit);
  };
  visit(file);
  return new Set(
    [...found].flatMap((key) => (key.startsWith('schemas/') ? [key.slice('schemas/'.length)] : [])),
  );
}

/** Returns the webhooks by the shared schema of their payload. */
function payloadsOf(file: ts.SourceFile, operations: ReadonlyMap<string, string>): Map<string, string[]> {
  const components = membersOf(interfaceIn(file, 'components'));
  const bodies = membersOf(components.find((member) => nameOf(member) === 'requestBodies')?.type);
  const textOf = (name: string) =>
    bodies.find((member) => nameOf(member) === name)?.type?.getText(file) ?? '';
  const payloads = new Map<string, string[]>();
  for (const operation of membersOf(interfaceIn(file, 'operations'))) {
    const [, event] = /^[A-Z]+ webhook (.*)$/.exec(operations.get(nameOf(operation)) ?? '') ?? [];
    if (event === undefined) continue;
    const body = membersOf(operation.type).find((member) => nameOf(member) === 'requestBody');
    const text = body?.type?.getText(file) ?? '';
    const [, shared] = /^components\["requestBodies"\]\["([^"]+)"\]$/.exec(text) ?? [];
    for (const schema of schemasIn(shared === undefined ? text : textOf(shared)))
      payloads.set(schema, [...new Set([...(payloads.get(schema) ?? []), event])]);
  }
  return payloads;
}

function factsOf(file: ts.SourceFile): ContractFacts {
  const components = membersOf(interfaceIn(file, 'components'));
  const schemas = membersOf(components.find((member) => nameOf(member) === 'schemas')?.type);
  const composed: ContractFacts['composed'] = {};
  const bodies = new Set<string>();
  for (const member of schemas) {
    const { type } = member;
    if (type && !ts.isTypeLiteralNode(type)) composed[nameOf(member)] = partsOf(type, file);
  }
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && nameOf(node) === 'content')
      for (const mediaType of membersOf(node.type))
        for (const name of schemasIn(mediaType.type?.getText(file) ?? '')) bodies.add(name);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { composed, bodies: [...bodies].filter((name) => composed[name]?.length === 0).sort() };
}

/** Returns the shared schemas that a type is composed of. Those of its properties do not count. */
function partsOf(node: ts.Node, file: ts.SourceFile): string[] {
  if (ts.isTypeLiteralNode(node)) return [];
  if (ts.isIndexedAccessTypeNode(node)) return schemasIn(node.getText(file));
  const found: string[] = [];
  ts.forEachChild(node, (child) => void found.push(...partsOf(child, file)));
  return found;
}

const interfaceIn = (file: ts.SourceFile, name: string): ts.InterfaceDeclaration | undefined =>
  file.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );

const membersOf = (node: ts.Node | undefined): ts.PropertySignature[] =>
  node && (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    ? node.members.filter(ts.isPropertySignature)
    : [];

const nameOf = ({ name }: ts.PropertySignature): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : name.getText();
