import { _, type CodeKeywordDefinition, type Options } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { createAjv } from '../../../../server/lib/create-ajv.ts';
import type { SchemaDocuments } from '../../../../server/pipeline/eov/validation-schemas.ts';
import { addSharedSchemas } from '../../../testing/schema-values/add-shared-schemas.ts';
import { compactSchema } from './compact-schema.ts';

/** The validated part of a message. Parameters are coerced; defaults are filled in for requests only. */
type Purpose = 'parameters' | 'requestBody' | 'response';

const purposes: readonly Purpose[] = ['parameters', 'requestBody', 'response'];

/** Compiles schemas to source code that needs no schema compiler. */
export interface SchemaCompiler {
  /** Adds a schema. @returns the index of its function; equal schemas have the same one */
  add: (purpose: Purpose, schema: unknown) => number;
  /** Returns the source of one module per purpose, by name, that of a list of all functions, and the formats in use. */
  sources: () => { modules: Record<string, string>; list: string; formatNames: string[] };
}

/** Name of the module with the formats that the generated code imports. */
export const formatsModule = '#formats';

/**
 * Creates a compiler with the settings of the pipeline's validators.
 * @param documents the documents into which the references of the schemas lead
 * @param formats the known formats; unknown ones are ignored
 */
export function createSchemaCompiler(
  documents: SchemaDocuments,
  formats: NonNullable<Options['formats']>,
): SchemaCompiler {
  const common: Options = {
    allErrors: true,
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    logger: false,
    formats,
    code: { source: true, esm: true, formats: _`require(${formatsModule}).formats` },
  };
  const settings: Record<Purpose, Options> = {
    parameters: { ...common, coerceTypes: true, useDefaults: true },
    requestBody: { ...common, useDefaults: true },
    response: common,
  };
  const compilers = new Map(
    purposes.map((purpose) => {
      const ajv = createAjv(settings[purpose]);
      const forbidden = purpose === 'response' ? 'writeOnly' : 'readOnly';
      ajv.removeKeyword(forbidden);
      ajv.addKeyword(forbiddenProperty(forbidden));
      const document = purpose === 'response' ? documents.responses : documents.requests;
      addSharedSchemas(ajv, compactSchema(document), 'contract');
      return [purpose, ajv];
    }),
  );
  const added = new Map<string, { purpose: Purpose; name: string; index: number }>();

  return {
    add(purpose, schema) {
      const compact = compactSchema(schema);
      const key = `${purpose} ${JSON.stringify(compact)}`;
      const known = added.get(key);
      if (known) return known.index;
      const index = added.size;
      const name = `check${index}`;
      compilers.get(purpose)?.addSchema(compact, name);
      added.set(key, { purpose, name, index });
      return index;
    },
    sources() {
      const all = [...added.values()];
      const ofPurpose = (purpose: Purpose) => all.filter((each) => each.purpose === purpose);
      const modules = [...compilers].map(([purpose, ajv]) => {
        const names = ofPurpose(purpose).map(({ name }) => [name, name]);
        return [`#${purpose}`, withoutSchemaPaths(standalone.default(ajv, Object.fromEntries(names)))];
      });
      const imports = purposes.map((purpose) => `import * as ${purpose} from '#${purpose}';`);
      const list = all.map(({ purpose, name }) => `${purpose}.${name}`).join(', ');
      return {
        modules: Object.fromEntries(modules),
        formatNames: formatNamesIn(modules.map(([, code]) => code).join()),
        list: `${imports.join('\n')}\nexport const validators = [${list}];\n`,
      };
    },
  };
}

const formatNamesIn = (code: string): string[] =>
  Array.from(
    code.matchAll(/\.formats(?:\.(\w+)|\["([^"]+)"\])/g),
    ([, plain, quoted]) => plain ?? quoted ?? '',
  );

/** The place of the violated keyword in the schema is not reported, and takes a quarter of the code. */
const withoutSchemaPaths = (code: string): string => code.replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",/g, '');

/** Rejects a read-only property in a request, or a write-only one in a response, as express-openapi-validator does. */
const forbiddenProperty = (keyword: 'readOnly' | 'writeOnly'): CodeKeywordDefinition => ({
  keyword,
  schemaType: 'boolean',
  error: { message: `is ${keyword === 'readOnly' ? 'read-only' : 'write-only'}` },
  code(context) {
    if (context.schema === true) context.fail(_`true`);
  },
});
