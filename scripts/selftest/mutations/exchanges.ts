import type { Mutation } from './mutation.ts';

const books = '/paths/~1books';
const book = '/paths/~1books~1{isbn}';
const list = `${books}/get/responses/200`;
const refused = '/components/responses/Refused';
const scanned = `${books}/post/callbacks/scanned/{$request.body#~1callback}`;

/** Bodies, media types, statuses, headers, callbacks, links, webhooks, discriminators. */
export const exchangeMutations: readonly Mutation[] = [
  {
    kind: 'request body',
    name: 'a body becomes required',
    label: 'breaking',
    edits: [['/paths/~1loans/post/requestBody/required', true]],
  },
  {
    kind: 'request body',
    name: 'a body becomes optional',
    label: 'compatible',
    edits: [[`${books}/post/requestBody/required`, undefined]],
  },
  {
    kind: 'request body',
    name: 'a body goes',
    label: 'breaking',
    edits: [['/paths/~1loans/post/requestBody', undefined]],
  },
  {
    kind: 'request body',
    name: 'a required body comes',
    label: 'breaking',
    edits: [
      [
        `${book}/delete/requestBody`,
        { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
      ],
    ],
  },
  {
    kind: 'request body',
    name: 'a shared body is written where it is used',
    label: 'same',
    edits: [
      [
        `${book}/put/requestBody`,
        {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NewBook' } } },
        },
      ],
    ],
  },
  {
    kind: 'media type',
    name: 'bodies of one kind are refused',
    label: 'breaking',
    edits: [[`${books}/post/requestBody/content/multipart~1form-data`, undefined]],
  },
  {
    kind: 'media type',
    name: 'bodies of another kind are taken',
    label: 'compatible',
    edits: [[`${books}/post/requestBody/content/application~1xml`, { schema: { type: 'string' } }]],
  },
  {
    kind: 'media type',
    name: 'an answer of one kind goes',
    label: 'breaking',
    edits: [[`${list}/content/text~1csv`, undefined]],
  },
  {
    kind: 'media type',
    name: 'an answer of another kind comes',
    label: 'compatible',
    edits: [[`${list}/content/application~1xml`, { schema: { type: 'string' } }]],
  },
  {
    kind: 'encoding',
    name: 'a part has to be of another kind',
    label: 'breaking',
    edits: [
      [`${books}/post/requestBody/content/multipart~1form-data/encoding/cover/contentType`, 'image/webp'],
    ],
  },
  {
    kind: 'status',
    name: 'a status goes',
    label: 'breaking',
    edits: [
      [`${book}/put/responses/204`, undefined],
      [`${book}/put/responses/200`, { description: 'Done.' }],
    ],
  },
  {
    kind: 'status',
    name: 'a status comes',
    label: 'compatible',
    edits: [[`${books}/post/responses/202`, { description: 'Later.' }]],
  },
  {
    kind: 'status',
    name: 'what is answered otherwise goes',
    label: 'breaking',
    edits: [['/paths/~1ping/get/responses/default', undefined]],
  },
  { kind: 'status', name: 'another description', label: 'same', edits: [[`${list}/description`, 'A page.']] },
  { kind: 'header', name: 'a header goes', label: 'breaking', edits: [[`${list}/headers/Link`, undefined]] },
  {
    kind: 'header',
    name: 'a header comes',
    label: 'compatible',
    edits: [[`${list}/headers/ETag`, { schema: { type: 'string' } }]],
  },
  {
    kind: 'header',
    name: 'a header becomes optional',
    label: 'breaking',
    edits: [[`${list}/headers/X-Total/required`, undefined]],
  },
  {
    kind: 'header',
    name: 'a header becomes required',
    label: 'compatible',
    edits: [[`${list}/headers/Link/required`, true]],
  },
  {
    kind: 'header',
    name: 'a header may be something else',
    label: 'breaking',
    edits: [[`${list}/headers/X-Total/schema/minimum`, undefined]],
  },
  {
    kind: 'header',
    name: 'a header is spelt in lower case',
    label: 'same',
    edits: [
      [`${list}/headers/X-Total`, undefined],
      [`${list}/headers/x-total`, { required: true, schema: { type: 'integer', minimum: 0 } }],
    ],
  },
  {
    kind: 'link',
    name: 'a link is described otherwise',
    label: 'same',
    edits: [[`${list}/links/first/description`, 'The first one.']],
  },
  { kind: 'link', name: 'a link goes', label: 'compatible', edits: [[`${list}/links`, undefined]] },
  {
    kind: 'answer',
    name: 'refusals lose what was certain',
    label: 'breaking',
    edits: [[`${refused}/content/application~1json/schema/required`, undefined]],
  },
  {
    kind: 'answer',
    name: 'refusals say more',
    label: 'compatible',
    edits: [[`${refused}/content/application~1json/schema/properties/id`, { type: 'string' }]],
  },
  {
    kind: 'callback',
    name: 'a callback goes',
    label: 'breaking',
    edits: [[`${books}/post/callbacks`, undefined]],
  },
  {
    kind: 'callback',
    name: 'a callback calls another address',
    label: 'breaking',
    edits: [
      [
        `${books}/post/callbacks/scanned/{$request.body#~1url}`,
        {
          post: {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Scan' } } },
            },
            responses: { 200: { description: 'Understood.' } },
          },
        },
      ],
      [scanned, undefined],
    ],
  },
  {
    kind: 'callback',
    name: 'a callback takes another answer',
    label: 'compatible',
    edits: [[`${scanned}/post/responses/204`, { description: 'Understood.' }]],
  },
  { kind: 'webhook', name: 'a webhook goes', label: 'breaking', edits: [['/webhooks/book.lost', undefined]] },
  {
    kind: 'webhook',
    name: 'a webhook comes',
    label: 'compatible',
    edits: [['/webhooks/book.found', { post: { responses: { 204: { description: 'Understood.' } } } }]],
  },
  {
    kind: 'webhook',
    name: 'a webhook loses what was certain',
    label: 'breaking',
    edits: [['/webhooks/book.lost/post/requestBody/content/application~1json/schema/required', undefined]],
  },
  {
    kind: 'webhook',
    name: 'a webhook says more',
    label: 'compatible',
    edits: [['/components/schemas/Scan/properties/by', { type: 'string' }]],
  },
  {
    kind: 'webhook',
    name: 'a webhook knows another value',
    label: 'breaking',
    edits: [['/components/schemas/Scan/properties/where/enum', ['desk', 'box', 'van']]],
  },
  {
    kind: 'webhook',
    name: 'a webhook knows one value less',
    label: 'compatible',
    edits: [['/components/schemas/Scan/properties/where/enum', ['desk']]],
  },
  {
    kind: 'webhook',
    name: 'a webhook comes with a body that may be missing',
    label: 'breaking',
    edits: [['/webhooks/book.returned/post/requestBody/required', undefined]],
  },
  {
    kind: 'webhook',
    name: 'a receiver may no longer answer as it did',
    label: 'breaking',
    edits: [
      ['/webhooks/book.lost/post/responses/204', undefined],
      ['/webhooks/book.lost/post/responses/200', { description: 'Understood.' }],
    ],
  },
  {
    kind: 'webhook',
    name: 'a receiver may answer otherwise, too',
    label: 'compatible',
    edits: [['/webhooks/book.lost/post/responses/200', { description: 'Understood.' }]],
  },
  {
    kind: 'discriminator',
    name: 'a name of a kind goes',
    label: 'breaking',
    edits: [['/components/schemas/Item/discriminator/mapping/cd', undefined]],
  },
  {
    kind: 'discriminator',
    name: 'a name means another kind',
    label: 'breaking',
    edits: [['/components/schemas/Item/discriminator/mapping/cd', '#/components/schemas/Paper']],
  },
  {
    kind: 'discriminator',
    name: 'a name of a kind comes',
    label: 'compatible',
    edits: [['/components/schemas/Item/discriminator/mapping/sheet', '#/components/schemas/Paper']],
  },
  {
    kind: 'discriminator',
    name: 'kinds are told by another property',
    label: 'breaking',
    edits: [['/components/schemas/Item/discriminator/propertyName', 'kind']],
  },
  {
    kind: 'discriminator',
    name: 'another kind comes',
    label: 'breaking',
    edits: [['/components/schemas/Item/oneOf/-', { $ref: '#/components/schemas/Scan' }]],
  },
  {
    kind: 'info',
    name: 'the contract describes itself otherwise',
    label: 'same',
    edits: [['/info/description', 'All books.']],
  },
  {
    kind: 'tag',
    name: 'a tag is described otherwise',
    label: 'same',
    edits: [['/tags/0/description', 'On the shelves.']],
  },
];
