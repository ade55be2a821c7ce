import { z } from 'zod';

/** The small objects that blocks are made of, with the limits that Slack keeps. Unknown fields are refused, as there. */

export const Id = z.string().min(1).max(255);

export const plainText = (max: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: z.string().min(1).max(max), emoji: z.boolean().optional() });

const markdownText = (max: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: z.string().min(1).max(max), verbatim: z.boolean().optional() });

export const anyText = (max: number) => z.discriminatedUnion('type', [plainText(max), markdownText(max)]);
export const onlyMarkdown = markdownText;

export const ConfirmObject = z.strictObject({
  title: plainText(100).optional(),
  text: anyText(300),
  confirm: plainText(30).optional(),
  deny: plainText(30).optional(),
  style: z.enum(['primary', 'danger']).optional(),
});

export const PlainOption = z.strictObject({
  text: plainText(75),
  value: z.string().max(150),
  description: plainText(75).optional(),
  url: z.string().max(3000).optional(),
});

export const TextOption = z.strictObject({
  text: anyText(75),
  value: z.string().max(150),
  description: anyText(75).optional(),
});

export const OptionGroup = z.strictObject({ label: plainText(75), options: z.array(PlainOption).min(1).max(100) });

export type TextObject = z.infer<ReturnType<typeof anyText>>;
export type ConfirmObject = z.infer<typeof ConfirmObject>;
export type OptionObject = z.infer<typeof TextOption> | z.infer<typeof PlainOption>;
