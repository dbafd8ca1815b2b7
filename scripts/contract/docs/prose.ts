import { existsSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { ShellSamples } from './code-figure.ts';
import { type Guide, readGuides } from './guides.ts';
import type { Page } from './layout.ts';
import type { LinkTo } from './links.ts';
import { render, type Section } from './markdown.ts';

/** A page that is written by hand. */
export interface ProsePage extends Page {
  sections: readonly Section[];
  /** The guide; undefined for other pages, such as decisions. */
  guide?: Guide;
}

/**
 * Reads and renders the hand-written texts beside a contract: guides, changelog, decisions, and `home.md` for the home page.
 * @param folder the folder of the contract
 * @param read reads a file, if the contract may refer to it
 * @returns also the files of projects that guides show, by path
 * @throws Error if a guide cannot be read
 */
export async function readProse(
  folder: string,
  read: (file: string) => Promise<string>,
  linkTo: LinkTo,
  samplesOf: ShellSamples,
): Promise<{ home: string; prose: ProsePage[]; projects: ReadonlyMap<string, string> }> {
  const cwd = join(folder, 'guides');
  const projects = new Map<string, string>();
  // The files of the folder in `<!-- files: inbox -->` are code that readers can unfold.
  const withFiles = async (text: string) => {
    const [comment, project] = /^<!-- files: (\w+) -->$/m.exec(text) ?? [];
    if (comment === undefined) return text;
    let code = '';
    for (const name of (await Array.fromAsync(glob(`${project}/{*,src/*}.*`, { cwd }))).sort()) {
      const [file, content] = [name.replaceAll('\\', '/'), await read(join(cwd, name))];
      projects.set(`guides/${file}`, content);
      code += `\`\`\`${extname(file).slice(1)} ${file} folded\n${content}\`\`\`\n\n`;
    }
    return text.replace(comment, () => code);
  };
  const guides = await readGuides(cwd, async (file) => withFiles(await read(file)));
  const pageOf = (href: string, file: string, text: string, guide?: Guide): ProsePage => {
    const rendered = render(text, linkTo, samplesOf);
    // The Markdown has the name of its source, so that links between sources work.
    const markdown = { file, text, group: guide?.group ?? 'Contract' };
    const description = guide?.summary ?? rendered.title;
    return { href, ...rendered, description, markdown, ...(guide && { guide }) };
  };
  const besideContract = async (name: string, href: string) => {
    const file = join(folder, name);
    return existsSync(file) ? [pageOf(href, name, await read(file))] : [];
  };
  const [home] = await besideContract('home.md', 'index.html');
  return {
    home: home?.html ?? '',
    projects,
    prose: [
      ...guides.map((guide) =>
        pageOf(`guides/${guide.slug}.html`, `guides/${guide.slug}.md`, guide.markdown, guide),
      ),
      ...(await besideContract('CHANGELOG.md', 'changelog.html')),
      ...(await besideContract('decisions.md', 'decisions.html')),
    ],
  };
}

/** Returns the guides by group or by topic, in order. */
export function groupGuides(
  pages: readonly ProsePage[],
  by: 'group' | 'topic' = 'group',
): { group: string; pages: readonly ProsePage[] }[] {
  const guides = pages.filter(({ guide }) => guide);
  const groups = Map.groupBy(guides, ({ guide }) => guide?.[by] ?? '');
  return Array.from(groups, ([group, grouped]) => ({ group, pages: grouped }));
}
