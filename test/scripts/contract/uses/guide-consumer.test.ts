import { expect, onTestFinished, test } from 'vitest';
import { collectUses } from '../../../../scripts/contract/uses/collect-uses.ts';
import { formatManifest } from '../../../../scripts/contract/uses/manifest.ts';
import { readProject } from '../../../../scripts/contract/uses/read-project.ts';
import { sampledGuides } from '../docs/guide-samples.ts';
import { readersProject } from '../docs/reader-project.ts';
import { inboxFiles, sampleFiles } from '../docs/sample-files.ts';
import { folderOf, writeConsumer } from './consumer-project.ts';

test('the samples of the guides are a known consumer, whose manifest is current', async () => {
  const project = await writeConsumer(
    await readersProject(onTestFinished),
    folderOf('src/openapi/guides', { ...sampleFiles(sampledGuides()), ...inboxFiles() }),
  );
  // The time is fixed, because this test keeps the manifest current.
  const { manifest } = collectUses(readProject(project), {
    consumer: "Parley's guides",
    now: '2026-11-25T00:00:00.000Z',
  });
  const text = formatManifest(manifest).replaceAll(
    /src\/(openapi\/guides\/[\w/-]+(?:\.md|\.tsx?))(?:\.\d+\.ts)?:/g,
    '$1:',
  );
  await expect(text).toMatchFileSnapshot(
    '../../../../openapi/consumers/guides.json',
    'The manifest is not current. Run: npx vitest run -u test/scripts/contract/uses/guide-consumer.test.ts',
  );
});
