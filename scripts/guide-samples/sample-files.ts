import { globSync, readFileSync } from 'node:fs';
import type { SampledGuide } from './guide-samples.ts';

/** Returns the TypeScript samples of guides as source files whose lines are those of the guide. */
export function sampleFiles(guides: readonly SampledGuide[]): Record<string, string> {
  const files: Record<string, string> = {};
  // Excerpts are parts of files of the inbox. Those for contracts of other projects are compiled in test/scripts/package.
  for (const { name, samples } of guides)
    for (const { language, role, line, code } of samples)
      if (language === 'ts' && !/^(notes|styles|inbox\/.*)$/.test(role))
        files[`${name}.md.${line}.ts`] = `${'\n'.repeat(line)}${code}\nexport type {};\n`;
  return files;
}

/** Returns the source files of the inbox, by their paths in the folder of the guides. */
export const inboxFiles = (): Record<string, string> =>
  Object.fromEntries(
    globSync('openapi/guides/inbox/{server.ts,src/*}')
      .sort()
      .map((file) => [file.replace('openapi/guides/', ''), readFileSync(file, 'utf8')]),
  );
