import { z } from 'zod';
import { Button, elementIn, Image } from './elements.ts';
import { RichText } from './rich-text.ts';
import { anyText, Id, onlyMarkdown, plainText } from './text.ts';

/** Every block that Slack takes, with its limits. The types are read from these schemas, so the two cannot differ. */

const block = { block_id: Id.optional() };

const Section = z
  .strictObject({
    type: z.literal('section'),
    ...block,
    text: anyText(3000).optional(),
    fields: z.array(anyText(2000)).min(1).max(10).optional(),
    accessory: elementIn('accessory').optional(),
    expand: z.boolean().optional(),
  })
  .refine((section) => section.text !== undefined || section.fields !== undefined, {
    error: 'a section needs text or fields',
  });

const Card = z.strictObject({
  type: z.literal('card'),
  ...block,
  hero_image: Image.optional(),
  icon: Image.optional(),
  title: onlyMarkdown(150).optional(),
  subtitle: onlyMarkdown(150).optional(),
  body: onlyMarkdown(200).optional(),
  actions: z.array(Button).max(5).optional(),
});

const TaskCard = z.strictObject({
  type: z.literal('task_card'),
  ...block,
  task_id: Id,
  title: z.string().min(1),
  details: RichText.optional(),
  output: RichText.optional(),
  sources: z.array(z.looseObject({ type: z.literal('url'), url: z.string() })).optional(),
  status: z.enum(['pending', 'in_progress', 'complete', 'error']),
});

const Cell = z.discriminatedUnion('type', [
  RichText,
  z.strictObject({ type: z.literal('raw_text'), text: z.string() }),
  z.strictObject({ type: z.literal('raw_number'), value: z.number(), text: z.string() }),
]);

const Actions = z.strictObject({
  type: z.literal('actions'),
  ...block,
  elements: z.array(elementIn('actions')).min(1).max(25),
});

const Context = z.strictObject({
  type: z.literal('context'),
  ...block,
  elements: z
    .array(z.discriminatedUnion('type', [Image, plainText(2000), onlyMarkdown(2000)]))
    .min(1)
    .max(10),
});

const Divider = z.strictObject({ type: z.literal('divider'), ...block });

const Header = z.strictObject({
  type: z.literal('header'),
  ...block,
  text: plainText(150),
  level: z.number().optional(),
});

const Input = z.strictObject({
  type: z.literal('input'),
  ...block,
  label: plainText(2000),
  element: elementIn('input'),
  hint: plainText(2000).optional(),
  optional: z.boolean().optional(),
  dispatch_action: z.boolean().optional(),
});

const Picture = z.strictObject({
  type: z.literal('image'),
  ...block,
  alt_text: z.string().max(2000),
  title: plainText(2000).optional(),
  image_url: z.string().max(3000).optional(),
  slack_file: z.looseObject({}).optional(),
});

const Table = z.strictObject({
  type: z.literal('table'),
  ...block,
  rows: z.array(z.array(Cell).min(1).max(20)).min(1).max(100),
  column_settings: z.array(z.looseObject({}).nullable()).max(20).optional(),
});

/** Only in a container: this sandbox draws neither. */
const File = z.strictObject({
  type: z.literal('file'),
  ...block,
  source: z.literal('remote'),
  external_id: z.string(),
});
/** The limits of title and author, and HTTPS, are those of Slack's own types. That of the description is assumed: they give none. */
const Video = z.strictObject({
  type: z.literal('video'),
  ...block,
  video_url: z.url({ protocol: /^https$/ }),
  thumbnail_url: z.string(),
  alt_text: z.string(),
  title: plainText(199),
  title_url: z.url({ protocol: /^https$/ }).optional(),
  author_name: z.string().max(49).optional(),
  provider_name: z.string().optional(),
  provider_icon_url: z.string().optional(),
  description: plainText(200).optional(),
});

const Container = z
  .strictObject({
    type: z.literal('container'),
    ...block,
    title: plainText(150).optional(),
    rich_text_title: RichText.optional(),
    subtitle: anyText(150).optional(),
    child_blocks: z
      .array(
        // biome-ignore format: one list
        z.discriminatedUnion('type', [
          Actions, Context, Divider, File, Header, Picture, Input, RichText, Section, Table, Video,
        ]),
      )
      .max(10),
    width: z.enum(['narrow', 'standard', 'wide', 'full']).optional(),
    icon: Image.optional(),
    is_collapsible: z.boolean().optional(),
    default_collapsed: z.boolean().optional(),
    has_header_divider: z.boolean().optional(),
  })
  .refine((container) => container.title !== undefined || container.rich_text_title !== undefined, {
    error: 'a container needs title or rich_text_title',
  })
  .refine((container) => container.default_collapsed !== true || container.is_collapsible === true, {
    error: 'default_collapsed needs is_collapsible',
  });

export const Block = z.discriminatedUnion('type', [
  Section,
  RichText,
  Actions,
  Context,
  Divider,
  Header,
  z.strictObject({ type: z.literal('markdown'), ...block, text: z.string().min(1).max(12_000) }),
  Input,
  Picture,
  z.strictObject({
    type: z.literal('context_actions'),
    ...block,
    elements: z.array(elementIn('opinions')).min(1).max(5),
  }),
  z.strictObject({
    type: z.literal('alert'),
    ...block,
    text: anyText(200),
    level: z.enum(['default', 'info', 'warning', 'error', 'success']).optional(),
  }),
  Table,
  Card,
  z.strictObject({ type: z.literal('carousel'), ...block, elements: z.array(Card).min(1).max(10) }),
  Container,
  TaskCard,
  z.strictObject({
    type: z.literal('plan'),
    ...block,
    title: z.string().min(1),
    tasks: z.array(TaskCard).max(50).optional(),
  }),
]);

export type Block = z.infer<typeof Block>;
