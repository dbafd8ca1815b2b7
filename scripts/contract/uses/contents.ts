import ts from 'typescript';
import type { ContractPart, ContractTypes } from './contract-types.ts';

/** Parts of the contract that a value contains, directly or in its properties, elements and promises. */
export interface Contents {
  /** Shared schemas, such as `Contact`. */
  schemas: ReadonlySet<string>;
  /** Operations with a schema of their own, such as `GET /contacts`. */
  operations: ReadonlySet<string>;
  /** Type parameters, whose values can be any of these. */
  parameters: ReadonlySet<ts.Symbol>;
  /** Whether the type contains too many types to look at all of them. */
  isPartial: boolean;
}

export interface TypeFacts {
  checker: ts.TypeChecker;
  /** Returns the type of an expression; `any` for one that was cast to `never`. */
  typeOf: (node: ts.Node) => ts.Type;
  /** Returns what values of a type contain. */
  contentsOf: (type: ts.Type) => Contents;
  /** Returns what values of a type contain, including what their functions get and return. */
  reachOf: (type: ts.Type) => Contents;
  /** Returns the parts of the contract that a property of a type stands for. */
  partsOf: (property: ts.Symbol | undefined) => ContractPart[];
}

/** Maximum number of nested types that are checked. Functions that get functions have endless types. */
const maxTypes = { values: 5_000, functions: 300 };

const nothing: Contents = {
  schemas: new Set(),
  operations: new Set(),
  parameters: new Set(),
  isPartial: false,
};

/** Whether a type certainly contains nothing of the contract. */
export const isEmpty = ({ schemas, operations, parameters, isPartial }: Contents): boolean =>
  !isPartial && schemas.size + operations.size + parameters.size === 0;

/** Creates functions that find the contract in the types of a program. */
export function createTypeFacts(checker: ts.TypeChecker, contract: ContractTypes): TypeFacts {
  const partsOf = (property: ts.Symbol | undefined): ContractPart[] =>
    (property?.declarations ?? []).flatMap((declaration) => contract.partOf(declaration) ?? []);

  function findContents(
    type: ts.Type,
    known: Map<ts.Type, Contents>,
    follow: keyof typeof maxTypes,
  ): Contents {
    const found = known.get(type);
    if (found) return found;
    const [schemas, operations, parameters] = [new Set<string>(), new Set<string>(), new Set<ts.Symbol>()];
    const seen = new Set<ts.Type>();
    const visit = (each: ts.Type): void => {
      if (seen.has(each) || known.get(each) === nothing || seen.size > maxTypes[follow]) return;
      seen.add(each);
      if (each.flags & ts.TypeFlags.TypeParameter && each.symbol) parameters.add(each.symbol);
      if (each.isUnionOrIntersection()) each.types.forEach(visit);
      // The value of an indexed access or a conditional type is not known.
      if (each.flags & (ts.TypeFlags.IndexedAccess | ts.TypeFlags.Conditional))
        for (const symbol of parametersIn(each)) parameters.add(symbol);
      if (!(each.flags & ts.TypeFlags.Object)) return;
      for (const argument of typeArgumentsOf(checker, each)) visit(argument);
      for (const info of checker.getIndexInfosOfType(each)) visit(info.type);
      if (isFromPlatform(each)) return;
      for (const signature of follow === 'functions'
        ? checker.getSignaturesOfType(each, ts.SignatureKind.Call)
        : []) {
        visit(checker.getReturnTypeOfSignature(signature));
        for (const parameter of signature.parameters) visit(checker.getTypeOfSymbol(parameter));
      }
      for (const property of checker.getPropertiesOfType(each)) {
        for (const part of partsOf(property)) {
          if (part.kind === 'parameter') operations.add(part.operation);
          else {
            for (const schema of [part.schema, ...part.refersTo])
              if (schema !== undefined) schemas.add(schema);
            if (part.operation !== undefined) operations.add(part.operation);
          }
        }
        visit(checker.getTypeOfSymbol(property));
      }
    };
    visit(type);
    const contents = { schemas, operations, parameters, isPartial: seen.size > maxTypes[follow] };
    // If a type contains nothing, its nested types contain nothing either. This applies to most types.
    if (isEmpty(contents)) for (const each of seen) known.set(each, nothing);
    else known.set(type, contents);
    return known.get(type) ?? nothing;
  }

  const [values, functions] = [new Map<ts.Type, Contents>(), new Map<ts.Type, Contents>()];
  return {
    checker,
    typeOf(node) {
      const type = checker.getTypeAtLocation(node);
      // A call of type `never` does not return.
      const isCast = (type.flags & ts.TypeFlags.Never) !== 0 && !ts.isCallExpression(node);
      return isCast ? checker.getAnyType() : type;
    },
    contentsOf: (type) => findContents(type, values, 'values'),
    reachOf: (type) => findContents(type, functions, 'functions'),
    partsOf,
  };
}

/** Returns the type arguments of a reference such as `Promise<Contact>`, and of an alias such as `Record<string, Contact>`. */
const typeArgumentsOf = (checker: ts.TypeChecker, type: ts.Type): readonly ts.Type[] =>
  isReference(type) ? checker.getTypeArguments(type) : (type.aliasTypeArguments ?? []);

export const isReference = (type: ts.Type): type is ts.TypeReference =>
  (type.flags & ts.TypeFlags.Object) !== 0 &&
  'objectFlags' in type &&
  (Number(type.objectFlags) & ts.ObjectFlags.Reference) !== 0;

/** Whether a type is declared by the language or its platform, such as `Array` and `Response`. */
const isFromPlatform = (type: ts.Type): boolean =>
  (type.symbol?.declarations ?? []).some((declaration) =>
    /\/(typescript\/lib|@types\/node|undici-types)\//.test(declaration.getSourceFile().fileName),
  );

/** Returns the type parameters in the text of a type that depends on them. */
function parametersIn(type: ts.Type): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (each: ts.Type | undefined, depth: number): void => {
    if (!each || depth > 5) return;
    if (each.flags & ts.TypeFlags.TypeParameter && each.symbol) found.push(each.symbol);
    if ('objectType' in each) visit(each.objectType as ts.Type, depth + 1);
    if ('checkType' in each) visit(each.checkType as ts.Type, depth + 1);
  };
  visit(type, 0);
  return found;
}

/** Whether nothing is known about the values of a type: `any` and `unknown`. */
export const isUnknown = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;

/** Whether the compiler accepts values of a type everywhere: `any`, and `never`, to which programs cast. */
export const isAccepted = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Never)) !== 0;

/** Returns the texts that values of a type can be, if these are known. */
export const textsOf = (type: ts.Type): string[] =>
  (type.isUnion() ? type.types : [type]).flatMap((each) => (each.isStringLiteral() ? [each.value] : []));
