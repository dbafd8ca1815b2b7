import type { Name } from 'ajv';
import type { CompiledContract, ResponsePlan } from '../../../server/contract/compiled-contract.ts';
import * as ownFormats from '../../../server/lib/formats.ts';
import { runtimeModule } from '../../lib/ajv-code.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import type { ContractInMemory } from './compile-contract.ts';
import { formatsModule, type SchemaFunctions } from './schema-functions.ts';

/** The name of the module that exports what was compiled, as `contract`. */
export const contractModule = '#contract';

/** The name of the module with the formats that are functions. */
export const ownFormatsModule = '#own-formats';

/**
 * Emits a compiled contract as the sources of modules, by name. `bundleModules` makes one module of them.
 * @param contract or a part of it. Its schemas are compiled, which takes most of the time
 */
export function emitContract({
  functions,
  formats: _formats,
  deciderOf: _deciderOf,
  countWorkWith: _countWorkWith,
  ...data
}: Pick<ContractInMemory, 'schemas' | 'functions'> & Partial<ContractInMemory>): Record<string, string> {
  const code = withImports(codeOfFunctions(functions, Object.keys(data.schemas)));
  const used = formatNamesIn(data.schemas).map((name) => `${JSON.stringify(name)}: ${codeOfFormat(name)}`);
  return {
    '#deciders': code,
    [formatsModule]: [
      `import * as ownFormats from '${ownFormatsModule}';`,
      `export const usedFormats = { ${used.join(', ')} };`,
    ].join('\n'),
    [contractModule]: [
      `import * as deciders from '#deciders';`,
      `import { usedFormats as formats } from '${formatsModule}';`,
      `import { countWorkWith } from '#work-limit';`,
      ...linesOfData(data),
      'export const contract = { ...data, formats, deciderOf: (name) => deciders[name], countWorkWith };',
    ].join('\n'),
  };
}

/** Compiles schemas, and returns the code of their functions. Ajv's own takes quadratic time to join it. */
function codeOfFunctions({ compiler, compileAll }: SchemaFunctions, names: readonly string[]): string {
  compileAll(names);
  const compiled = new Map(names.map((name) => [name, compiler.getSchema(name)]));
  const known = new Set<unknown>(compiled.values());
  const written = new Set<Name>();
  const isNew = (name: Name) => !written.has(name) && written.add(name).has(name);
  const lines = [...compiled].flatMap(([name, { source } = {}]) => {
    if (!source) throw new Error(`Ajv has no code for the schema ${name}.`);
    const { validateName, validateCode, evaluated } = source;
    const values = Object.values(source.scopeValues).flatMap((each) => [...(each ?? [])]);
    const constants = values.flatMap((each) => {
      const { code, ref } = each.value ?? {};
      if (code !== undefined) return isNew(each) ? [`const ${each} = ${code};`] : [];
      if (known.has(ref)) return [];
      throw new Error(`Ajv has no code for ${each} in ${name}.`);
    });
    return [
      ...constants,
      ...(isNew(validateName) ? [validateCode] : []),
      ...(evaluated ? [`${validateName}.evaluated = ${evaluated};`] : []),
      `export const ${name} = ${validateName};`,
    ];
  });
  return ['"use strict";', ...lines].join('\n');
}

/** Returns the code that defines `data`. Equal responses are written once, because most operations document the same errors. */
function linesOfData({ operations, ...data }: Partial<CompiledContract>): string[] {
  if (!operations) return [`const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});`];
  const indexes = new Map<string, number>();
  const withIndex = ([status, response]: [string, ResponsePlan]) => {
    const text = JSON.stringify(response);
    const index = indexes.get(text) ?? indexes.size;
    indexes.set(text, index);
    return [status, index];
  };
  const shared = operations.map((plan) => ({
    ...plan,
    responses: Object.fromEntries(Object.entries(plan.responses).map(withIndex)),
  }));
  const responses = `[${[...indexes.keys()].join()}]`;
  const text = JSON.stringify({ ...data, operations: shared });
  return [
    `const data = JSON.parse(${JSON.stringify(text)}), responses = JSON.parse(${JSON.stringify(responses)});`,
    'for (const operation of data.operations)',
    '  for (const status in operation.responses) operation.responses[status] = responses[operation.responses[status]];',
  ];
}

/** Replaces the calls of `require` in the code of functions by imports. */
function withImports(code: string): string {
  const modules: string[] = [];
  const replaced = code.replaceAll(/require\("([^"]+)"\)/g, (_call, name: string) => {
    if (!modules.includes(name)) modules.push(name);
    return `module${modules.indexOf(name)}`;
  });
  const imports = modules.map((name, index) => {
    if (name === formatsModule)
      return `import { usedFormats } from '${name}'; const module${index} = { formats: usedFormats };`;
    if (name !== runtimeModule) throw new Error(`The functions of schemas need the module ${name}.`);
    return `import * as module${index} from '${name}';`;
  });
  return `${imports.join('\n')}\n${replaced}`;
}

function codeOfFormat(name: string): string {
  const format = knownFormats[name];
  const [own] = Object.entries(ownFormats).find(([, each]) => each === format) ?? [];
  // A property of the module, not of an object, so that the bundle has only those that are used.
  if (own !== undefined) return `ownFormats.${own}`;
  return format instanceof RegExp
    ? `new RegExp(${JSON.stringify(format.source)}, ${JSON.stringify(format.flags)})`
    : 'true';
}

/** Returns the known formats that schemas use. */
function formatNamesIn(schemas: unknown): string[] {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === 'format' && typeof value === 'string' && Object.hasOwn(knownFormats, value))
        names.add(value);
      visit(value);
    }
  };
  visit(schemas);
  return [...names].sort();
}
