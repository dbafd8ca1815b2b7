import { join } from 'node:path';
import { pack } from '../../contract/client/build.ts';
import { generateFiles, writeFiles } from '../../contract/generate/files.ts';
import { withDefaults } from '../../contract/read-config.ts';
import { buildRuntime } from '../../runtime-package/build-runtime.ts';

/** Builds and packs the runtime in a folder. @returns the path of the tarball */
export async function packRuntime(folder: string): Promise<string> {
  await buildRuntime(join(folder, 'runtime'));
  return pack(join(folder, 'runtime'), folder);
}

/** Compiles the contract of a project, `openapi.yaml`, to `generated`, as `parley-contract generate` does. */
export async function generateContract(folder: string): Promise<void> {
  const out = join(folder, 'generated');
  const config = { ...withDefaults({}), out, pageMock: false as const, allowOutside: [folder] };
  const { files } = await generateFiles(join(folder, 'openapi.yaml'), 'generate', config);
  await writeFiles(out, files);
}
