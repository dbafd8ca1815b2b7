import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { collectUses } from '../../../../scripts/contract/uses/collect-uses.ts';
import { sampledGuides } from '../docs/guide-samples.ts';
import { readersProject } from '../docs/reader-project.ts';
import { writeConsumer } from './consumer-project.ts';

/** Returns the TypeScript samples of all guides as source files whose lines are those of the guide. */
function sampleFiles(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { name, samples } of sampledGuides()) {
    const path = `openapi/guides/${name}.md`;
    const guide = readFileSync(path, 'utf8');
    let from = 0;
    for (const { language, code } of samples) {
      const start = guide.indexOf(code, from);
      if (start < 0) continue;
      from = start + code.length;
      if (language !== 'ts') continue;
      const before = guide.slice(0, start).split('\n').length - 1;
      files[`src/${path}.${before}.ts`] = `${'\n'.repeat(before)}${code}\nexport type {};\n`;
    }
  }
  return files;
}

test('the samples of the guides are a known consumer, whose manifest is current', async () => {
  const project = await writeConsumer(await readersProject(onTestFinished), sampleFiles());
  // The time is fixed, because this test keeps the manifest current.
  const { manifest } = collectUses({ project, consumer: "Parley's guides", now: '2026-11-25T00:00:00.000Z' });
  const text = JSON.stringify(manifest, null, 2).replaceAll(
    /src\/(openapi\/guides\/[\w-]+\.md)\.\d+\.ts:/g,
    '$1:',
  );
  await expect(`${text}\n`).toMatchFileSnapshot(
    '../../../../openapi/consumers/guides.json',
    'The manifest is not current. Run: npx vitest run -u test/scripts/contract/uses/guide-consumer.test.ts',
  );
});
