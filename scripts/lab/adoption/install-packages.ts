import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];

/**
 * Installs packages of the npm registry, or files, in a project, without running their scripts.
 * @param packages none for those that the project names
 */
export async function installPackages(folder: string, packages: readonly string[] = []): Promise<void> {
  await run('npm', ['install', ...options, ...packages], { cwd: folder });
}

/** Removes packages from a project. */
export async function removePackages(folder: string, packages: readonly string[]): Promise<void> {
  await run('npm', ['uninstall', ...options, ...packages], { cwd: folder });
}
