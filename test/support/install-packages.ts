import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Installs packages of the npm registry, or files, in a project, without running their scripts. */
export async function installPackages(folder: string, packages: readonly string[]): Promise<void> {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...options, ...packages], { cwd: folder });
}
