import { isObject } from '../../../../server/lib/json-object.ts';
import { markdownCode } from '../../../lib/markdown-text.ts';
import type { Operation } from '../../model/operation.ts';
import { listIn } from './nodes.ts';

/** A part of an operation that its extensions describe. */
export interface OperationNote {
  title: string;
  /** Markdown. */
  text: string;
}

/** Returns what an operation requires beyond its schemas: scopes and rules. Other tools may use extensions with the same names. */
export function operationNotes({ node, security, rules }: Operation): OperationNote[] {
  const scopes = [...new Set(security.flatMap((alternative) => Object.values(alternative).flat()))];
  const conditional = listIn(node, 'x-conditional-scopes')
    .filter(isObject)
    .map(({ scope, when }) => `- ${markdownCode(String(scope))} if ${when}`);
  const listed = rules.map(({ rule, code, fields }) => {
    // A rule that quotes a name says which location it is about.
    const locations = rule.includes('`') ? '' : fields.map(markdownCode).join(', ');
    return `- ${rule}${locations === '' ? '' : ` (${locations})`}${code === undefined ? '' : ` Otherwise the error code is ${code}.`}`;
  });
  const notes = [
    {
      title: 'Scopes',
      text: [...(scopes.length > 0 ? [`- ${scopes.map(markdownCode).join(', ')}`] : []), ...conditional].join(
        '\n',
      ),
    },
    { title: 'Rules', text: listed.join('\n') },
  ];
  return notes.filter(({ text }) => text !== '');
}

/** Returns the IDs of the decisions that concern an operation. */
export const decisionsOf = ({ node }: Operation): string[] => listIn(node, 'x-decision').map(String);
