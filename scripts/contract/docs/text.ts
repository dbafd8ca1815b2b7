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

/** Converts a name to a part of a URL. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '') || 'section';
