import ts from 'typescript';
import type { ContractFacts } from './manifest.ts';

/** Returns the shared schemas that the text of a type names, directly or through other schemas. */
export type SchemaClosure = (texts: readonly string[]) => Set<string>;

/** Creates a function that follows references to components and operations through the generated types. */
export function createClosure(file: ts.SourceFile): SchemaClosure {
  const texts = new Map<string, string>();
  for (const kind of membersOf(interfaceIn(file, 'components')))
    for (const member of membersOf(kind.type))
      texts.set(`${nameOf(kind)}/${nameOf(member)}`, member.getText(file));
  for (const member of membersOf(interfaceIn(file, 'operations')))
    texts.set(`operations/${nameOf(member)}`, member.getText(file));
  return (given) => {
    const found = new Set<string>();
    const follow = (text: string) => {
      for (const [, kind = 'operations', name = ''] of text.matchAll(
        /(?:components\[["'](\w+)["']\]|operations)\[["']([^"']+)["']\]/g,
      )) {
        const key = `${kind}/${name}`;
        if (found.has(key)) continue;
        found.add(key);
        follow(texts.get(key) ?? '');
      }
    };
    given.forEach(follow);
    return new Set(
      [...found].flatMap((key) => (key.startsWith('schemas/') ? [key.slice('schemas/'.length)] : [])),
    );
  };
}

/** Returns the shared schemas that responses contain, directly or through other schemas. */
export function receivedSchemas(file: ts.SourceFile, closure: SchemaClosure): Set<string> {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && nameOf(node) === 'responses') texts.push(node.getText(file));
    else if (!ts.isInterfaceDeclaration(node) || node.name.text !== 'components')
      ts.forEachChild(node, visit);
  };
  visit(file);
  return closure(texts);
}

/** Returns the webhooks by the shared schema of their payload. */
export function payloadsOf(
  file: ts.SourceFile,
  operations: ReadonlyMap<string, string>,
): Map<string, string[]> {
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
    const [, shared] = /^components\[["']requestBodies["']\]\[["']([^"']+)["']\]$/.exec(text) ?? [];
    for (const schema of schemasIn(shared === undefined ? text : textOf(shared)))
      payloads.set(schema, [...new Set([...(payloads.get(schema) ?? []), event])]);
  }
  return payloads;
}

/** Returns the values of all enumerations as texts. */
export function literalsIn(file: ts.SourceFile): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isLiteralTypeNode(node) && (ts.isStringLiteral(node.literal) || ts.isNumericLiteral(node.literal)))
      found.add(node.literal.text);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Returns the facts about the contract that verdicts need. */
export function factsOf(file: ts.SourceFile): Omit<ContractFacts, 'elsewhere'> {
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

/** Returns an interface of a file by its name. */
export const interfaceIn = (file: ts.SourceFile, name: string): ts.InterfaceDeclaration | undefined =>
  file.statements.find(
    (statement): statement is ts.InterfaceDeclaration =>
      ts.isInterfaceDeclaration(statement) && statement.name.text === name,
  );

/** Returns the properties of an interface or a type literal. */
export const membersOf = (node: ts.Node | undefined): ts.PropertySignature[] =>
  node && (ts.isInterfaceDeclaration(node) || ts.isTypeLiteralNode(node))
    ? node.members.filter(ts.isPropertySignature)
    : [];

/** Returns the name of a property without quotes. */
export const nameOf = ({ name }: ts.PropertySignature): string =>
  ts.isIdentifier(name) || ts.isStringLiteral(name) || ts.isNumericLiteral(name) ? name.text : name.getText();

/** Returns the shared schemas that the text of a type names. */
export const schemasIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/components\[["']schemas["']\]\[["']([^"']+)["']\]/g)].map(([, name = '']) => name),
  ),
];
