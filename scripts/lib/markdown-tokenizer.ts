import { Tokenizer, type Tokens } from 'marked';

/** Characters of one emphasis or address, nested lists and quotes, and columns of a table. What exceeds this is shown as text. */
const [maxLength, maxDepth, maxColumns] = [1_000, 20, 20];

/** Reads Markdown in linear time: marked searches the rest of a paragraph for each sign, and calls itself for each nested list. */
export class MarkdownTokenizer extends Tokenizer {
  #depth = 0;

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#nested(() => super.blockquote(src));
  }

  override list(src: string): Tokens.List | undefined {
    return this.#nested(() => super.list(src));
  }

  override table(src: string): Tokens.Table | undefined {
    // Rows may have fewer cells than the header, and get the others.
    const columns = /^.*/.exec(src)?.[0].split('|').length ?? 0;
    return columns > maxColumns + 2 ? undefined : super.table(src);
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return super.emStrong(src.slice(0, maxLength), around(src, masked), before);
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return super.del(src.slice(0, maxLength), around(src, masked), before);
  }

  override url(src: string): Tokens.Link | undefined {
    return src.length > maxLength && /^\S+$/.test(src.slice(0, maxLength)) ? undefined : super.url(src);
  }

  override inlineText(src: string): Tokens.Text | undefined {
    // Between words, so that no address is cut.
    const end = src.length > maxLength ? src.lastIndexOf(' ', maxLength) : 0;
    return super.inlineText(src.slice(0, end > 0 ? end : maxLength));
  }

  #nested<T>(read: () => T): T | undefined {
    if (this.#depth === maxDepth) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}

/** Returns the text before and after the place where `src` begins, which is the end of `masked`. */
function around(src: string, masked: string): string {
  const start = masked.length - src.length;
  return masked.slice(Math.max(0, start - maxLength), start + maxLength);
}
