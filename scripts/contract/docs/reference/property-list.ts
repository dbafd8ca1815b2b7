import { counted } from '../../../lib/counted.ts';
import { markdownCode, markdownText } from '../../../lib/markdown-text.ts';
import type { LinkTo } from '../links.ts';
import { renderFragment } from '../markdown.ts';
import { breakable, escapeHtml } from '../text.ts';

/** A property of a body, a parameter, a header or a status. */
export interface Property {
  name: string;
  /** Empty for a status. */
  type: string;
  isRequired: boolean;
  /** Markdown. */
  description: string;
  /** The properties inside it. */
  properties: readonly Property[];
}

/** A property with the anchor of its row. */
export interface AnchoredProperty extends Property {
  id: string;
  properties: readonly AnchoredProperty[];
}

/**
 * Adds anchors to properties, such as `property-address.city`.
 * @param unique makes the anchors of a page unique
 */
export const withAnchors = (
  properties: readonly Property[],
  unique: (name: string) => string,
  prefix = 'property-',
): AnchoredProperty[] =>
  properties.map((property) => {
    const path = prefix + property.name.replaceAll(/\s/g, '-');
    return {
      ...property,
      id: unique(path),
      properties: withAnchors(property.properties, unique, `${path}.`),
    };
  });

/** Renders properties as a list. Those inside a property are folded. */
export function propertiesHtml(properties: readonly AnchoredProperty[], linkTo: LinkTo): string {
  if (properties.length === 0) return '';
  const items = properties.map(({ id, name, type, isRequired, description, properties: inner }) => {
    const text = description === '' ? '' : `<div>${renderFragment(description, linkTo)}</div>`;
    const folded =
      inner.length === 0
        ? ''
        : `<details><summary>${counted(inner.length, 'property', 'properties')} of <code>${escapeHtml(name)}</code></summary>${propertiesHtml(inner, linkTo)}</details>`;
    return `<li id="${escapeHtml(id)}"><code>${breakable(escapeHtml(name))}</code> ${escapeHtml(type)}${isRequired ? ' <strong>required</strong>' : ''} <a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to ${escapeHtml(name)}">#</a>${text}${folded}</li>`;
  });
  return `<ul class="properties">${items.join('\n')}</ul>`;
}

/** Lists properties in Markdown, with the properties inside them as inner lists. */
export const propertiesMarkdown = (properties: readonly Property[], indent = ''): string =>
  properties
    .map(({ name, type, isRequired, description, properties: inner }) => {
      const head = `${indent}- ${markdownCode(name)} ${markdownText(type)}${isRequired ? ' **required**' : ''}`;
      // A description can contain lists, so it is indented below its item.
      const text = description === '' ? '' : `\n\n${description.replaceAll(/^(?=.)/gm, `${indent}  `)}\n`;
      return `${head.trimEnd()}${text}${inner.length === 0 ? '' : `\n${propertiesMarkdown(inner, `${indent}  `)}`}`;
    })
    .join('\n');
