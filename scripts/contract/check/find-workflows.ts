import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { assertWithinLimits } from '../load/bundle-within-limits.ts';
import { type DocumentScope, projectFolderOf } from '../load/document-files.ts';
import { refuseUrl } from '../load/document-resolver.ts';
import { parseYaml } from '../load/parse-yaml.ts';

/**
 * Finds the workflows of a contract (`workflows/*.yaml` in its folder). Checks their limits, because Redocly then reads
 * them without limits.
 * @param api path of the contract's root
 * @throws Error that names the file if a workflow is not valid YAML, or may not read what it refers to
 */
export async function findWorkflows(api: string, { allowOutside }: DocumentScope): Promise<string[]> {
  const files = globSync(join(dirname(api), 'workflows', '*.yaml')).sort();
  const scope = { allowOutside, project: projectFolderOf(api) };
  for (const file of files) {
    await assertWithinLimits(file, scope);
    for (const url of sourcesIn(file, await readFile(file, 'utf8'))) {
      try {
        refuseUrl(url);
      } catch (error) {
        throw new Error(`${file}: the source ${url} ${errorMessage(error)}.`);
      }
      await assertWithinLimits(join(dirname(file), url), scope);
    }
  }
  return files;
}

/** Returns the URLs of the API descriptions that a workflow uses. Redocly reports other mistakes of the file. */
function sourcesIn(file: string, text: string): string[] {
  const document = parseYaml(file, text);
  const sources = isObject(document) ? document.sourceDescriptions : undefined;
  return (Array.isArray(sources) ? sources : []).flatMap((each) =>
    isObject(each) && typeof each.url === 'string' ? [each.url] : [],
  );
}
