import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { Marked } from 'marked';
import { parseGuide } from '../contract/docs/guides.ts';

/** A code sample in a guide. */
export interface GuideSample {
  /** Such as `sh`, `ts` or `python`. */
  language: string;
  /**
   * `terminal` is a command that keeps running or runs in another folder. `receiver` is a program that receives
   * webhooks.
   */
  role: string;
  code: string;
  /** Number of lines of the guide before the code. */
  line: number;
  /** The output that the guide shows, if any. */
  response: { language: string; text: string } | undefined;
}

export interface SampledGuide {
  name: string;
  stateful: boolean;
  samples: GuideSample[];
}

/** Returns the guides with all their code samples. */
export function sampledGuides(): SampledGuide[] {
  return globSync('openapi/guides/*.md')
    .sort()
    .map((file) => {
      const text = readFileSync(file, 'utf8');
      const { head, markdown } = parseGuide(text);
      const { mock } = head as { mock?: string };
      const samples = samplesIn(markdown);
      let from = 0;
      for (const sample of samples) {
        const start = text.indexOf(sample.code, from);
        sample.line = text.slice(0, start).split('\n').length - 1;
        from = start + sample.code.length;
      }
      return { name: basename(file, '.md'), stateful: mock === 'stateful', samples };
    });
}

function samplesIn(markdown: string): GuideSample[] {
  const samples: GuideSample[] = [];
  for (const token of new Marked().lexer(markdown)) {
    if (token.type !== 'code') continue;
    const [language = '', role = ''] = String(token.lang ?? '').split(' ');
    const last = samples.at(-1);
    if (role === 'answer' && last) last.response = { language, text: token.text };
    else samples.push({ language, role, code: token.text, line: 0, response: undefined });
  }
  return samples;
}
