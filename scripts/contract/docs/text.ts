const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML elements and attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

/** Lets browsers break lines inside long names such as `conversation.forwarded_to_agent`. @param html escaped text */
export const breakable = (html: string): string =>
  html.length < 20 ? html : html.replaceAll(/(?<=\w)[._/](?=[\w{])/g, '$&<wbr>');

/** Returns a function that returns each name once: `same`, then `same-2`. Names that differ in case are the same. */
export function uniqueNames(): (name: string) => string {
  const taken = new Set<string>();
  /** The next number of a name, so that many equal names take linear time. */
  const numbers = new Map<string, number>();
  return (name) => {
    const key = name.toLowerCase();
    let unique = name;
    let number = numbers.get(key) ?? 2;
    for (; taken.has(unique.toLowerCase()); number++) unique = `${name}-${number}`;
    numbers.set(key, number);
    taken.add(unique.toLowerCase());
    return unique;
  };
}

/** Converts a name to a part of a URL. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'section';
