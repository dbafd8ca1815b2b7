import { once } from 'node:events';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { buildClient } from '../../../../scripts/contract/client/build.ts';
import { type OnCleanup, temporaryFolder } from '../../../support/temporary-folder.ts';

const installed = [
  ...['openapi-fetch', 'openapi-typescript-helpers', 'openapi-react-query', '@types', '@tanstack'],
  ...['react', 'react-dom', 'scheduler', 'csstype', 'vite', 'vitest'],
];

/** Creates a project with the client and the packages that samples import, like that of a reader of the guides. */
export async function readersProject(onCleanup: OnCleanup): Promise<string> {
  const project = await projectWithPackages(onCleanup);
  await buildClient(join(project, 'node_modules/parley-client'));
  return project;
}

/** Copies the inbox of the guides into a project of `readersProject`. @returns its folder */
export async function inboxIn(project: string): Promise<string> {
  const folder = join(project, 'inbox');
  await cp('openapi/guides/inbox', folder, { recursive: true });
  return folder;
}

/** Creates a project with the packages that samples import, without the client. */
export async function projectWithPackages(onCleanup: OnCleanup): Promise<string> {
  const project = await temporaryFolder(onCleanup);
  await mkdir(join(project, 'node_modules'));
  for (const name of installed)
    await symlink(resolve('node_modules', name), join(project, 'node_modules', name));
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  return project;
}

/** Returns a free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
