import { z } from 'zod';
import { Id } from './text.ts';

/** Formatted text, down to its last piece. Slack takes no empty text and no piece that it does not know. */

const style = {
  style: z
    .strictObject({
      bold: z.boolean().optional(),
      code: z.boolean().optional(),
      italic: z.boolean().optional(),
      strike: z.boolean().optional(),
      underline: z.boolean().optional(),
      highlight: z.boolean().optional(),
      client_highlight: z.boolean().optional(),
      unlink: z.boolean().optional(),
    })
    .optional(),
};
const border = { border: z.literal([0, 1]).optional() };

const Text = z.strictObject({ type: z.literal('text'), text: z.string().min(1), ...style });
const Link = z.strictObject({
  type: z.literal('link'),
  url: z.string().min(1).max(3000),
  text: z.string().optional(),
  unsafe: z.boolean().optional(),
  ...style,
});

const Piece = z.discriminatedUnion('type', [
  Text,
  Link,
  z.strictObject({
    type: z.literal('emoji'),
    name: z.string().min(1),
    unicode: z.string().optional(),
    skin_tone: z.number().optional(),
    url: z.string().optional(),
    ...style,
  }),
  z.strictObject({ type: z.literal('user'), user_id: Id, ...style }),
  z.strictObject({ type: z.literal('usergroup'), usergroup_id: Id, ...style }),
  z.strictObject({ type: z.literal('channel'), channel_id: Id, ...style }),
  z.strictObject({ type: z.literal('team'), team_id: Id, ...style }),
  z.strictObject({ type: z.literal('broadcast'), range: z.enum(['here', 'channel', 'everyone']), ...style }),
  z.strictObject({ type: z.literal('color'), value: z.string().min(1), ...style }),
  z.strictObject({
    type: z.literal('date'),
    timestamp: z.number(),
    format: z.string().min(1),
    url: z.string().optional(),
    fallback: z.string().optional(),
    ...style,
  }),
]);

const Section = z.strictObject({ type: z.literal('rich_text_section'), elements: z.array(Piece) });

export const RichText = z.strictObject({
  type: z.literal('rich_text'),
  block_id: Id.optional(),
  elements: z.array(
    z.discriminatedUnion('type', [
      Section,
      z.strictObject({
        type: z.literal('rich_text_list'),
        elements: z.array(Section),
        style: z.enum(['bullet', 'ordered']),
        indent: z.number().min(0).max(8).optional(),
        offset: z.number().optional(),
        ...border,
      }),
      z.strictObject({ type: z.literal('rich_text_quote'), elements: z.array(Piece), ...border }),
      z.strictObject({
        type: z.literal('rich_text_preformatted'),
        elements: z.array(z.discriminatedUnion('type', [Text, Link])),
        language: z.string().optional(),
        ...border,
      }),
    ]),
  ),
});

export type RichTextPiece = z.infer<typeof Piece>;
