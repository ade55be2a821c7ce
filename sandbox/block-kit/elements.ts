import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ConfirmObject, Id, OptionGroup, type OptionObject, PlainOption, plainText, TextOption } from './text.ts';

/** Everything a person can press, choose or type into. */

const action = { action_id: Id.optional(), confirm: ConfirmObject.optional() };
const focus = { focus_on_load: z.boolean().optional() };
const placeholder = { placeholder: plainText(150).optional() };
const dispatch = {
  dispatch_action_config: z
    .strictObject({ trigger_actions_on: z.array(z.enum(['on_enter_pressed', 'on_character_entered'])) })
    .optional(),
};
const menu = { ...action, ...focus, ...placeholder };
const input = { action_id: Id.optional(), ...focus, ...placeholder, ...dispatch };
const options = {
  options: z.array(PlainOption).min(1).max(100).optional(),
  option_groups: z.array(OptionGroup).min(1).max(100).optional(),
};
const many = { max_selected_items: z.number().min(1).optional() };
interface Menu {
  readonly options?: readonly OptionObject[] | undefined;
  readonly option_groups?: readonly { readonly options: readonly OptionObject[] }[] | undefined;
  readonly initial_option?: OptionObject | undefined;
  readonly initial_options?: readonly OptionObject[] | undefined;
}
/** What a menu shows as chosen has to be one of its options, letter for letter. */
function checkMenu(menu: Menu, context: z.RefinementCtx): void {
  const refuse = (field: keyof Menu, message: string) => context.addIssue({ code: 'custom', path: [field], message });
  const { options = [], option_groups: groups = [] } = menu;
  const offered = [...options, ...groups.flatMap((group) => group.options)];
  const isOffered = (chosen: OptionObject) => offered.some((option) => isDeepStrictEqual(option, chosen));
  if ((menu.options === undefined) === (menu.option_groups === undefined)) {
    refuse('options', 'either options or option_groups is needed');
  }
  if (menu.initial_option !== undefined && !isOffered(menu.initial_option)) {
    refuse('initial_option', 'initial_option is none of the options');
  }
  if (menu.initial_options?.every(isOffered) === false) {
    refuse('initial_options', 'one of initial_options is none of the options');
  }
}
const filter = {
  filter: z.looseObject({}).optional(),
  default_to_current_conversation: z.boolean().optional(),
  response_url_enabled: z.boolean().optional(),
};
const feedback = z.strictObject({
  text: plainText(75),
  value: z.string().max(2000),
  accessibility_label: z.string().max(75).optional(),
});

export const Button = z.strictObject({
  type: z.literal('button'),
  ...action,
  text: plainText(75),
  value: z.string().max(2000).optional(),
  url: z.string().max(3000).optional(),
  style: z.enum(['primary', 'danger']).optional(),
  accessibility_label: z.string().max(75).optional(),
});

export const Image = z.strictObject({
  type: z.literal('image'),
  alt_text: z.string().max(2000),
  image_url: z.string().max(3000).optional(),
  slack_file: z.looseObject({}).optional(),
});

const Element = z.discriminatedUnion('type', [
  Button,
  Image,
  z.strictObject({ type: z.literal('overflow'), ...action, options: z.array(PlainOption).min(1).max(5) }),
  z
    .strictObject({ type: z.literal('static_select'), ...menu, ...options, initial_option: PlainOption.optional() })
    .superRefine(checkMenu),
  z
    .strictObject({
      type: z.literal('multi_static_select'),
      ...menu,
      ...options,
      ...many,
      initial_options: z.array(PlainOption).optional(),
    })
    .superRefine(checkMenu),
  z.strictObject({
    type: z.literal('external_select'),
    ...menu,
    min_query_length: z.number().optional(),
    initial_option: PlainOption.optional(),
  }),
  z.strictObject({ type: z.literal('users_select'), ...menu, initial_user: z.string().optional() }),
  z.strictObject({
    type: z.literal('multi_users_select'),
    ...menu,
    ...many,
    initial_users: z.array(z.string()).optional(),
  }),
  z.strictObject({
    type: z.literal('conversations_select'),
    ...menu,
    ...filter,
    initial_conversation: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('channels_select'), ...menu, ...filter, initial_channel: z.string().optional() }),
  z
    .strictObject({
      type: z.literal('radio_buttons'),
      ...action,
      ...focus,
      options: z.array(TextOption).min(1).max(10),
      initial_option: TextOption.optional(),
    })
    .superRefine(checkMenu),
  z
    .strictObject({
      type: z.literal('checkboxes'),
      ...action,
      ...focus,
      options: z.array(TextOption).min(1).max(10),
      initial_options: z.array(TextOption).min(1).max(10).optional(),
    })
    .superRefine(checkMenu),
  z.strictObject({
    type: z.literal('plain_text_input'),
    ...input,
    initial_value: z.string().max(3000).optional(),
    multiline: z.boolean().optional(),
    min_length: z.number().min(0).max(3000).optional(),
    max_length: z.number().min(1).max(3000).optional(),
  }),
  z.strictObject({
    type: z.literal('number_input'),
    ...input,
    is_decimal_allowed: z.boolean(),
    initial_value: z.string().optional(),
    min_value: z.string().optional(),
    max_value: z.string().optional(),
  }),
  z.strictObject({ type: z.literal('email_text_input'), ...input, initial_value: z.string().optional() }),
  z.strictObject({ type: z.literal('url_text_input'), ...input, initial_value: z.string().optional() }),
  z.strictObject({ type: z.literal('datepicker'), ...menu, initial_date: z.string().optional() }),
  z.strictObject({
    type: z.literal('timepicker'),
    ...menu,
    initial_time: z.string().optional(),
    timezone: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('datetimepicker'),
    ...action,
    ...focus,
    initial_date_time: z.number().optional(),
  }),
  z.strictObject({
    type: z.literal('feedback_buttons'),
    action_id: Id.optional(),
    positive_button: feedback,
    negative_button: feedback,
  }),
  z.strictObject({
    type: z.literal('icon_button'),
    ...action,
    icon: z.string(),
    text: plainText(75),
    value: z.string().max(2000).optional(),
    accessibility_label: z.string().max(75).optional(),
    visible_to_user_ids: z.array(z.string()).optional(),
  }),
]);

type Kinds = readonly Element['type'][];
const SELECTS: Kinds = ['static_select', 'external_select', 'users_select', 'conversations_select', 'channels_select'];
const OF_MANY: Kinds = ['multi_static_select', 'multi_users_select', 'checkboxes'];
const MENUS: Kinds = [...SELECTS, ...OF_MANY, 'radio_buttons', 'datepicker', 'timepicker'];
const TYPED: Kinds = ['plain_text_input', 'number_input', 'email_text_input', 'url_text_input'];

/** Which elements stand where. */
const PLACES = {
  actions: ['button', 'overflow', 'datetimepicker', ...MENUS],
  accessory: ['button', 'overflow', 'image', ...MENUS],
  input: ['datetimepicker', ...TYPED, ...MENUS],
  opinions: ['feedback_buttons', 'icon_button'],
} satisfies Readonly<Record<string, Kinds>>;

/** An element that Slack takes in this place. */
export function elementIn(place: keyof typeof PLACES) {
  const allowed: Kinds = PLACES[place];
  return Element.refine(({ type }) => allowed.includes(type), { path: ['type'], error: `not allowed in ${place}` });
}

export type Button = z.infer<typeof Button>;
export type Element = z.infer<typeof Element>;
/** Elements that send something when used. */
export type Interactive = Exclude<Element, { type: 'image' }>;
