import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { cp, readFile, rename } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { generateContract, installPackages, removePackages } from './packages.ts';

const run = promisify(execFile);

/** The applications that were written for other middleware, each in the shape that a real one has. */
export const applications: string = resolve(import.meta.dirname, '../../../test/applications');

/** The names of the applications. */
export const applicationNames: string[] = readdirSync(applications);

/** The middleware that an application is written for. */
const stockPackages = ['express-openapi-validator', 'openapi-backend'];

interface Manifest {
  scripts: { test: string };
  dependencies: Record<string, string>;
}

const manifestOf = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

/** Copies an application to a folder and installs its packages. It uses the stock middleware. */
export async function installApplication(name: string, folder: string): Promise<void> {
  await cp(join(applications, name), folder, { recursive: true });
  await installPackages(folder);
}

/**
 * Makes the documented change in an application: the runtime instead of the stock middleware, the compiled contract, and
 * the file that mounts the middleware.
 * @param tarball path of the runtime's package
 */
export async function adoptRuntime(folder: string, tarball: string): Promise<void> {
  await cp(tarball, join(folder, 'runtime.tgz'));
  const { dependencies } = await manifestOf(folder);
  await removePackages(
    folder,
    stockPackages.filter((name) => name in dependencies),
  );
  await installPackages(folder, ['./runtime.tgz']);
  await generateContract(folder);
  for (const name of readdirSync(folder))
    if (name.startsWith('validation.parley.'))
      await rename(join(folder, name), join(folder, name.replace('.parley', '')));
}

/** Returns the environment of an application's programs. @param node the folder of the Node that runs them */
export const environmentOf = (folder: string, node: string): NodeJS.ProcessEnv => ({
  ...process.env,
  NODE_OPTIONS: '',
  NODE_PATH: '',
  PATH: [node, join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter),
});

/** Runs a command of a shell in an application. @returns its output, which begins with FAILED if the command fails */
export const outputOf = (folder: string, node: string, command: string): Promise<string> =>
  run('sh', ['-c', command], { cwd: folder, env: environmentOf(folder, node) }).then(
    ({ stdout, stderr }) => stdout + stderr,
    ({ stdout, stderr }) => `FAILED ${stdout}${stderr}`,
  );

/** Runs the tests of an application. @returns their output, as `outputOf` */
export const testApplication = async (folder: string, node: string): Promise<string> =>
  outputOf(folder, node, (await manifestOf(folder)).scripts.test);

/** Compiles an application that is written in TypeScript. @throws Error with the compiler's output */
export async function compileApplication(folder: string, node: string): Promise<void> {
  if (!readdirSync(folder).includes('tsconfig.json')) return;
  const output = await outputOf(folder, node, 'tsc');
  if (output !== '') throw new Error(`${folder} does not compile.\n${output}`);
}
