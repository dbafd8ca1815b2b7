import { join } from 'node:path';
import ts from 'typescript';
import { contractConfig } from '../../../parley-contract.config.ts';
import { validateExamples } from '../../contract/check/checks/examples.ts';
import { readPolicy } from '../../contract/check/policy.ts';
import { compareContracts } from '../../contract/diff/compare.ts';
import { buildSite } from '../../contract/docs/site.ts';
import { testMock } from '../../contract/doctor/mock-conformance.ts';
import { generateFiles, writeFiles } from '../../contract/generate/files.ts';
import { lintDocuments } from '../../contract/lint/lint-documents.ts';
import { loadContract } from '../../contract/load/load-contract.ts';
import type { Contract } from '../../contract/model/contract.ts';
import { createCompilerHost } from '../../contract/uses/read-project.ts';
import { inTemporaryFolder } from '../../lib/folders.ts';
import { coverageItemsOf } from '../../testing/coverage/coverage-items.ts';
import { operationsOf } from '../../testing/requests/operations.ts';
import { createSchemaContext } from '../../testing/schema-values/schema-context.ts';

/** Runs one tool on a document. @returns the problems that it found; empty if the tool works */
type RunTool = (file: string) => Promise<string[]>;

/** Seconds that the conformance tests may take. */
const conformanceSeconds = 10;

/** The tools, by the name of their npm script. */
export const tools: Readonly<Record<string, RunTool>> = {
  generate: (file) =>
    inTemporaryFolder(async (folder) => {
      const { files } = await generateFiles(file, 'npm run generate', contractConfig);
      await writeFiles(folder, { ...files, 'package.json': '{"type":"module"}' });
      return compileErrors(
        Object.keys(files)
          .filter((name) => /\.ts$/.test(name))
          .map((name) => join(folder, name)),
      );
    }),
  // Lint findings are about the document, not the tool. The tool works if it does not throw.
  lint: async (file) => {
    await lintDocuments([file], (await readPolicy(undefined, file)).redocly);
    return [];
  },
  'docs:build': (file) =>
    inTemporaryFolder(async (folder) => {
      const { pages } = await buildSite({
        api: file,
        out: folder,
        mock: 'http://127.0.0.1:4010',
        config: contractConfig,
      });
      return pages > 0 ? [] : ['The portal has no page.'];
    }),
  mock: async (file) => mockConformance(await loadContract(file), 5),
  'contract:check': async (file) => {
    const contract = await loadContract(file);
    validateExamples(contract);
    const { document } = contract;
    const [first, ...more] = Object.keys(document.paths ?? {});
    if (first === undefined) return [];
    const { [first]: removed, ...paths } = document.paths ?? {};
    const { breaking } = await compareContracts(document, { ...document, paths }, '2026-01-01');
    const isEmpty = Object.keys(removed ?? {}).length === 0;
    return breaking.length > 0 || isEmpty
      ? []
      : [`The removal of ${first}, of ${more.length + 1} paths, was not found.`];
  },
  'contract:coverage': async (file) => {
    const context = createSchemaContext((await loadContract(file)).document);
    coverageItemsOf(context, operationsOf(context));
    return [];
  },
};

/**
 * Runs the conformance tests against the mock.
 * @param runs random requests per operation
 * @returns the findings, each with its request
 */
export async function mockConformance(contract: Contract, runs: number): Promise<string[]> {
  const { findings } = await testMock(contract, contractConfig, {
    phases: ['examples', 'boundaries', 'random'],
    ...{ runs, maxSeconds: conformanceSeconds },
  });
  return findings.map(
    ({ operation, message, curl, response }) =>
      `${operation}: ${message}\n    ${curl}\n    ${response?.status} ${response?.body.slice(0, 200)}`,
  );
}

/**
 * Compiles files with the strict settings of this project. The generated types of forms use `File`, which `@types/node`
 * declares.
 * @param changed settings that differ
 * @returns the errors, with file and line
 */
export function compileErrors(files: readonly string[], changed: ts.CompilerOptions = {}): string[] {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, files, include: [] }, ts.sys, process.cwd());
  const all = { ...options, types: ['node'], ...changed };
  const program = ts.createProgram(files, all, createCompilerHost(all));
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? `${file.fileName}:${file.getLineAndCharacterOfPosition(start).line + 1} ` : '';
    return line + ts.flattenDiagnosticMessageText(messageText, ' ');
  });
}
