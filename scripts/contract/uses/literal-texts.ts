import type ts from 'typescript';

/** Returns the texts that values of a type can be, if these are known. */
export const textsOf = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type]).flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
