import ts from 'typescript';
import type { Analysis } from './analysis.ts';
import { isAccepted, textsOf } from './contents.ts';

/** Tags in the declaration of a client's function that say what it does beyond its types. */
const tags = {
  /** The function calls these methods of the path that it gets. */
  methods: 'calls',
  /** The function calls these operations, such as `GET /contacts/{id}`; separated by commas. */
  operations: 'operations',
  /** The function reads these response headers. */
  headers: 'headers',
  /** The function reads these shared schemas, such as `Error`. */
  schemas: 'reads',
  /** The function validates events with the contract of its build. */
  validates: 'validatesEvents',
} as const;

/** Creates a visitor that records called operations, read headers and handled events. */
export function createCallVisitor(analysis: Analysis): (node: ts.Node) => void {
  const { contract, facts, recorder, placeOf } = analysis;
  const { checker } = facts;
  const match = createPathMatcher([...contract.methods.keys()]);

  return (node) => {
    if (ts.isCallExpression(node)) visitCall(node);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isConcatenation(node))
      visitText(node);
    if (isWholeHeaders(node)) recorder.header('*', placeOf(node));
    if (ts.isStringLiteralLike(node) && contract.events.has(node.text))
      recorder.event(node.text, placeOf(node));
  };

  function visitCall(node: ts.CallExpression): void {
    const at = placeOf(node);
    const declared = new Map<string, string[]>();
    for (const { name, text } of checker.getResolvedSignature(node)?.getJsDocTags() ?? []) {
      const values = ts.displayPartsToString(text).split(/\s*,\s*/);
      declared.set(name, [...(declared.get(name) ?? []), ...values]);
    }
    for (const operation of declared.get(tags.operations) ?? []) recorder.call(operation, false, at);
    for (const header of declared.get(tags.headers) ?? []) recorder.header(header, at);
    for (const schema of declared.get(tags.schemas) ?? []) recorder.readWhole(schema, [], at);
    if (declared.has(tags.validates)) recorder.validatesEvents(at);
    const given = node.arguments.map((argument) => textsOf(checker.getTypeAtLocation(argument)));
    const methods =
      declared.get(tags.methods) ??
      methodsIn([calleeName(node), ...given.flat()].map((text) => text.toLowerCase()));
    // Options whose type is `any` or `never` can send anything, and can change the type of the response.
    const isOpen = node.arguments.some((argument) => isAccepted(checker.getTypeAtLocation(argument)));
    for (const path of given.flat()) if (contract.methods.has(path)) callPath(path, methods, isOpen, at);
    if (isHeadersCall(node))
      for (const name of given[0]?.length ? given[0] : ['*']) recorder.header(name, at);
    if (given[0]?.length === 0 && isPackaged(node)) callUnknownPath(calleeName(node).toLowerCase(), at);
  }

  /** Records the operations of a path in a text that is no argument of a typed client. */
  function visitText(node: ts.Expression): void {
    if (isPartOfText(node) || isTypeOrModuleName(node)) return;
    const at = placeOf(node);
    const { parent } = node;
    const isExact = ts.isStringLiteralLike(node) && contract.methods.has(node.text);
    if (isExact && ts.isCallExpression(parent) && isTypedClient(parent)) return;
    if (isExact && ts.isArrayLiteralExpression(parent)) {
      // The key of a query: ['get', '/contacts'].
      const methods = methodsIn(
        parent.elements.flatMap((each) => (ts.isStringLiteralLike(each) ? [each.text] : [])),
      );
      if (methods) {
        callPath(node.text, methods, false, at);
        return;
      }
    }
    if (isExact && ts.isVariableDeclaration(parent) && !parent.type && isConstant(parent)) return;
    for (const path of match(textOf(node))) callPath(path, methodOfFetch(node), true, at);
  }

  function callPath(path: string, methods: readonly string[] | undefined, open: boolean, at: string): void {
    const own = contract.methods.get(path) ?? [];
    for (const method of own)
      if (!methods || methods.includes(method)) recorder.call(`${method.toUpperCase()} ${path}`, open, at);
  }

  function methodsIn(texts: readonly string[]): string[] | undefined {
    const all = new Set([...contract.methods.values()].flat());
    const found = texts.filter((text) => all.has(text));
    return found.length > 0 ? found : undefined;
  }

  /** Records a call of a client whose path is not known. */
  function callUnknownPath(method: string, at: string): void {
    for (const path of contract.methods.keys()) callPath(path, [method], true, at);
  }

  /** Whether a package declares the function, as clients do, and its name is a method in capitals. */
  function isPackaged(node: ts.CallExpression): boolean {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    return /^[A-Z]+$/.test(calleeName(node)) && declaration?.getSourceFile().isDeclarationFile === true;
  }

  /** Whether a function checks the types of the path, and of the result. */
  function isTypedClient(node: ts.CallExpression): boolean {
    const declaration = checker.getResolvedSignature(node)?.declaration;
    return declaration !== undefined && (declaration.typeParameters?.length ?? 0) > 0;
  }

  function isHeadersCall({ expression }: ts.CallExpression): boolean {
    return (
      ts.isPropertyAccessExpression(expression) && isGetter(expression) && isHeaders(expression.expression)
    );
  }

  /** Whether an expression passes all headers on, or lists them. */
  function isWholeHeaders(node: ts.Node): boolean {
    const { parent } = node;
    const isValue = ts.isPropertyAccessExpression(node) || (ts.isIdentifier(node) && ts.isExpression(parent));
    if (!isValue || !/headers$/i.test(node.getText()) || !isHeaders(node)) return false;
    if (ts.isVariableDeclaration(parent)) return false;
    if (ts.isPropertyAccessExpression(parent)) return parent.expression === node && !isGetter(parent);
    return true;
  }

  function isHeaders(node: ts.Node): boolean {
    return checker.getTypeAtLocation(node).symbol?.name === 'Headers';
  }
}

/** Returns the method in the options of `fetch`: GET by default, undefined if it is not known. */
function methodOfFetch(node: ts.Node): string[] | undefined {
  let call = node.parent;
  while (!ts.isCallExpression(call) && !ts.isNewExpression(call)) {
    if (ts.isSourceFile(call) || ts.isBlock(call)) return undefined;
    call = call.parent;
  }
  const options = call.arguments?.[1];
  if (!/\b(fetch|Request)$/.test(call.expression.getText())) return undefined;
  if (!options) return ['get'];
  if (!ts.isObjectLiteralExpression(options) || options.properties.some(ts.isSpreadAssignment))
    return undefined;
  const method = options.properties.find((each) => each.name?.getText() === 'method');
  if (!method) return ['get'];
  return ts.isPropertyAssignment(method) && ts.isStringLiteralLike(method.initializer)
    ? [method.initializer.text.toLowerCase()]
    : undefined;
}

const isGetter = ({ name }: ts.PropertyAccessExpression): boolean => /^(get|has)$/.test(name.text);

const calleeName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText();

const isConcatenation = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;

const isPartOfText = ({ parent }: ts.Node): boolean => isConcatenation(parent) || ts.isTemplateSpan(parent);

const isTypeOrModuleName = ({ parent }: ts.Node): boolean =>
  ts.isLiteralTypeNode(parent) || ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent);

const isConstant = ({ parent }: ts.VariableDeclaration): boolean => (parent.flags & ts.NodeFlags.Const) !== 0;

/** Returns the text of an expression, with `*` for each part that is not known. */
function textOf(node: ts.Expression): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isParenthesizedExpression(node)) return textOf(node.expression);
  if (isConcatenation(node)) return textOf(node.left) + textOf(node.right);
  if (ts.isTemplateExpression(node))
    return (
      node.head.text +
      node.templateSpans.map(({ expression, literal }) => textOf(expression) + literal.text).join('')
    );
  return '*';
}

/**
 * Creates a function that finds paths in a text, such as `/api/v1/contacts/{id}` in `*` + `/contacts/4021?x=1`. In the
 * text, `*` stands for a part that is not known. A text that is only the end of a path counts too, because a base URL
 * can contain the rest.
 */
function createPathMatcher(paths: readonly string[]): (text: string) => string[] {
  const templates = paths.map((path) => ({ path, steps: path.split('/').filter(Boolean) }));
  return (text) => {
    const [target = ''] = text.split(/[?#]/);
    if (!target.includes('/') || /\s/.test(target)) return [];
    const steps = target
      .replace(/^\w+:\/\/[^/]*/, '')
      .split('/')
      .filter(Boolean);
    const fixed = steps.filter((step) => !step.includes('*'));
    if (fixed.length === 0) return [];
    return templates
      .filter(({ steps: own }) => {
        const count = Math.min(own.length, steps.length);
        const [end, ownEnd] = [steps.slice(-count), own.slice(-count)];
        // Before the path there can be a base URL, or a part that is not known.
        return (
          end.every((step, index) => fits(step, ownEnd[index] ?? '')) &&
          end.some((step, index) => step === ownEnd[index])
        );
      })
      .map(({ path }) => path);
  };
}

const fits = (step: string, template: string): boolean =>
  step === template || step.includes('*') || /\{[^}]+\}/.test(template);
