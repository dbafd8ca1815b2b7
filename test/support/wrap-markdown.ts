/** Lines that are not prose: blank lines, tables, headings, comments, HTML, quotations, rules and link targets. */
const notProse = /^\s*($|[|#<>]|\[[^\]]+\]:|[-=]{3,}$)/;

/** The beginning of a list item. */
const listItem = /^\s*(?:[-*+]|\d+[.)])\s+/;

/** Words that would begin another block at the beginning of a line. */
const beginsBlock = /^([-*+=]+|\d+[.)]|#+|[|<>].*|```.*)$/;

/**
 * Wraps the paragraphs and list items of a document. Everything else stays as it is, such as tables, whose cells Prettier
 * would pad.
 * @param width maximum length of a line in characters; a longer word has a line of its own
 */
export function wrapMarkdown(text: string, width = 120): string {
  const lines = text.split('\n');
  const wrapped: string[] = [];
  const takeUntil = (isLast: (line: string) => boolean) => {
    do wrapped.push(lines.shift() ?? '');
    while (lines.length > 0 && !isLast(wrapped.at(-1) ?? ''));
  };
  if (lines[0] === '---') {
    wrapped.push(lines.shift() ?? '');
    takeUntil((line) => line === '---');
  }
  while (lines.length > 0) {
    const [line = ''] = lines;
    const [, fence] = /^\s*(```+|~~~+)/.exec(line) ?? [];
    if (fence !== undefined) {
      wrapped.push(lines.shift() ?? '');
      takeUntil((each) => each.trim() === fence);
    } else if (notProse.test(line)) wrapped.push(lines.shift() ?? '');
    else wrapped.push(...wrapBlock(takeBlock(lines), width));
  }
  return wrapped.join('\n');
}

/** Removes the lines of a paragraph or list item from the beginning. */
function takeBlock(lines: string[]): string[] {
  const next = lines.findIndex(
    (line, index) => index > 0 && (notProse.test(line) || listItem.test(line) || /^\s*(```|~~~)/.test(line)),
  );
  return lines.splice(0, next < 0 ? lines.length : next);
}

function wrapBlock([first = '', ...others]: string[], width: number): string[] {
  const [start = ''] = listItem.exec(first) ?? /^\s*/.exec(first) ?? [];
  const text = [first.slice(start.length), ...others].join(' ');
  const filled: string[] = [];
  let line = '';
  // A code span is one word, so that its spaces stay as they are.
  for (const [word] of text.matchAll(/(?:`+[^`]*`+|[^\s`]|`)+/g)) {
    const isFull = start.length + line.length + 1 + word.length > width;
    if (line !== '' && isFull && !beginsBlock.test(word)) {
      filled.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...filled, line].map((each, index) => (index === 0 ? start : ' '.repeat(start.length)) + each);
}
