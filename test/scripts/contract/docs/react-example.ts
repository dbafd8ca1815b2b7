import { type GuideSample, type SampledGuide, sampledGuides } from './guide-samples.ts';

const editor = `import { useState } from 'react';

export function Editor({ onSend }: { onSend: (text: string) => void }) {
  const [text, setText] = useState('');
  return (
    <form action={() => onSend(text)}>
      <input value={text} onChange={({ target }) => setText(target.value)} />
      <button>Send</button>
    </form>
  );
}
`;

/** Returns the TypeScript samples of guides as source files whose lines are those of the guide. */
export function sampleFiles(guides: readonly SampledGuide[]): Record<string, string> {
  const files: Record<string, string> = {};
  // Those for the contracts of other projects are compiled in test/scripts/package.
  for (const { name, samples } of guides)
    for (const sample of samples)
      if (/^tsx?$/.test(sample.language) && !['notes', 'styles'].includes(sample.role))
        files[fileOf(name, sample)] = `${'\n'.repeat(sample.line)}${sample.code}\nexport type {};\n`;
  return files;
}

/** Returns the components of the guide on React by their names, and the modules that these import. */
export function reactModules(): Record<string, string> {
  const exporting = (name: string, exported: RegExp) =>
    sampledGuides()
      .filter((guide) => guide.name === name)
      .flatMap(({ samples }) => samples.filter(({ code }) => exported.test(code)))
      .map((sample) => `export * from './${fileOf(name, sample)}';\n`)
      .join('');
  const components = sampledGuides().flatMap(({ name, samples }) =>
    samples.flatMap((sample) =>
      sample.language === 'tsx'
        ? [[`${sample.role}.tsx`, `export * from './${fileOf(name, sample)}';\n`]]
        : [],
    ),
  );
  return {
    ...Object.fromEntries(components),
    'Editor.tsx': editor,
    'api.ts': exporting('react', /^export (const|function) (parley|useContacts|useMessages)\b/m),
    'describe.ts': exporting('react', /^export function describe\b/m),
    'outbox.ts': exporting('offline', /^export function sendWaiting\b/m),
  };
}

/** Returns the application of the guide on React, with the queue of the guide on offline work. */
export const reactExample = (): Record<string, string> => ({
  ...sampleFiles(sampledGuides().filter(({ name }) => ['react', 'offline'].includes(name))),
  ...reactModules(),
});

const fileOf = (guide: string, { line, language }: GuideSample): string => `${guide}.md.${line}.${language}`;
