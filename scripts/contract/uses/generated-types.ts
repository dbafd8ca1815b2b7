import ts from 'typescript';

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
