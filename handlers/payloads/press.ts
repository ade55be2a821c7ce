import { z } from 'zod';
import { given } from '../../app/given.ts';
import { readJson } from '../../app/json.ts';
import {
  ApprovalId,
  type CardReceipt,
  RunId,
  StoredTrustTerms,
  TrustId,
  UNKNOWN_TEAM,
  UserId,
} from '../../app/records/index.ts';

/** Reads presses and submitted forms from Slack's payloads. */

/** Slack leaves parts of a payload out, or sends null, so only what a press cannot do without is asked for. */
const Pressed = z.object({
  user: z.object({ id: UserId, team_id: z.string().nullish() }),
  trigger_id: z.string(),
  container: z
    .object({
      type: z.literal('message'),
      channel_id: z.string(),
      message_ts: z.string(),
      thread_ts: z.string().nullish(),
    })
    .nullish()
    // A view says itself that it is one. For the other kinds, the channel and the message say where the button stands.
    .catch(undefined),
  channel: z.object({ id: z.string() }).nullish(),
  message: z
    .object({
      ts: z.string().nullish(),
      thread_ts: z.string().nullish(),
    })
    .nullish(),
  view: z
    .object({
      id: z.string(),
      type: z.string().optional(),
      hash: z.string().optional(),
      private_metadata: z.string().default(''),
    })
    .nullish(),
  actions: z
    .array(
      z.object({
        action_id: z.string(),
        block_id: z.string().default(''),
        value: z.string().optional(),
        selected_option: z.object({ value: z.string() }).nullish(),
      }),
    )
    .min(1),
});

export interface PressedButton {
  readonly by: { readonly user: UserId; readonly team: string };
  readonly trigger: string;
  /** What the button carries. It only says which approval is meant. */
  readonly value: string;
  readonly place: PressedPlace;
  /** The revision of the card that the presser saw. A button of no card has none. */
  readonly shows?: number;
  /** The approval in whose block the button stands. */
  readonly approval?: ApprovalId;
  /** The run that the card names. Cards of older versions name none. */
  readonly run?: RunId;
}

export type PressedPlace =
  | { readonly type: 'message'; readonly card: CardReceipt; readonly threadTs: string }
  | { readonly type: 'view'; readonly id: string; readonly hash: string | undefined; readonly page: number }
  /** The app's own page, which only this person sees. */
  | { readonly type: 'home' };

const ViewMemory = z.object({ page: z.number().int().nonnegative() });

/** Reads a press, or returns `undefined` if none of our buttons sends this. */
export function readPress(body: unknown): PressedButton | undefined {
  const parsed = Pressed.safeParse(body);
  const action = parsed.data?.actions[0];
  if (!parsed.success || action === undefined) return undefined;
  const { user, trigger_id, view } = parsed.data;
  const press = {
    by: { user: user.id, team: user.team_id ?? UNKNOWN_TEAM },
    trigger: trigger_id,
    value: action.selected_option?.value ?? action.value ?? '',
    ...readBlock(action.block_id),
  };
  const place = readPlace(parsed.data);
  if (place !== undefined) return { ...press, place };
  if (view == null) return undefined;
  if (view.type === 'home') return { ...press, place: { type: 'home' } };
  const memory = ViewMemory.safeParse(readJson(view.private_metadata));
  const page = memory.data?.page ?? 0;
  return { ...press, place: { type: 'view', id: view.id, hash: view.hash, page } };
}

/** What the id of a pressed block says: `blockId` and `choicesId` in `handlers/views/card/call.ts` write it. */
export function readBlock(block: string): Pick<PressedButton, 'approval' | 'shows' | 'run'> {
  const [, id, revision, run] = /^[^:]+:([^:]+):(\d+)(?::(\d\dr[^:]+))?$/.exec(block) ?? [];
  const named = { approval: ApprovalId.safeParse(id).data, run: RunId.safeParse(run).data };
  return revision === undefined ? {} : { shows: Number(revision), ...given(named) };
}

function readPlace({ container, channel, message }: z.infer<typeof Pressed>): PressedPlace | undefined {
  const inChannel = container?.channel_id ?? channel?.id;
  const ts = container?.message_ts ?? message?.ts;
  if (inChannel === undefined || ts == null) return undefined;
  const threadTs = container?.thread_ts ?? message?.thread_ts ?? ts;
  return { type: 'message', card: { channel: inChannel, ts }, threadTs };
}

export function readGrantId(value: string): TrustId | undefined {
  return TrustId.safeParse(value).data;
}

export function readApprovalId(value: string): ApprovalId | undefined {
  return ApprovalId.safeParse(value).data;
}

const Submitted = z.object({
  user: z.object({ id: UserId, team_id: z.string().nullish() }),
  view: z.object({
    id: z.string(),
    private_metadata: z.string(),
    state: z.object({
      values: z.record(
        z.string(),
        z.record(
          z.string(),
          z.object({
            value: z.string().nullish(),
            selected_option: z.object({ value: z.string() }).nullish(),
            selected_user: z.string().nullish(),
            selected_options: z.array(z.object({ value: z.string() })).nullish(),
          }),
        ),
      ),
    }),
  }),
});

const FormMemory = z.object({
  approval: ApprovalId,
  /** Absent in a form that an older version opened. */
  run: RunId.optional(),
  card: z.object({ channel: z.string(), ts: z.string() }),
  threadTs: z.string(),
  listed: z.literal(true).optional(),
  confirms: z.string().optional(),
  terms: StoredTrustTerms.optional(),
  fields: z.array(z.string()).optional(),
});

export interface SubmittedForm {
  readonly by: PressedButton['by'];
  readonly view: string;
  /** What we wrote into the form when it was opened; people cannot change it. */
  readonly memory: z.infer<typeof FormMemory>;
  /** What was typed or chosen, by the id of the field. Fields that were left empty are missing. */
  readonly values: ReadonlyMap<string, string>;
  /** Those of them that were typed. */
  readonly typed: ReadonlyMap<string, string>;
  /** The same for fields in which several may be chosen. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
}

/** All that a person filled in: for each field, a list of what was typed or chosen. */
export function filledIn({ values, choices }: Pick<SubmittedForm, 'values' | 'choices'>) {
  return new Map([...[...values].map(([field, value]) => [field, [value]] as const), ...choices]);
}

/** Reads a submitted form, or returns `undefined` if none of our forms sends this. */
export function readSubmission(body: unknown): SubmittedForm | undefined {
  return readFilledIn(body, FormMemory);
}

/** The same for a form that remembers something else. */
export function readFilledIn<Memory>(
  body: unknown,
  schema: z.ZodType<Memory>,
): (Omit<SubmittedForm, 'memory'> & { readonly memory: Memory }) | undefined {
  const parsed = Submitted.safeParse(body);
  if (!parsed.success) return undefined;
  const { user, view } = parsed.data;
  const memory = schema.safeParse(readJson(view.private_metadata));
  if (!memory.success) return undefined;
  const fields = Object.values(view.state.values).flatMap((block) => Object.entries(block));
  const values = fields.flatMap(([field, { value, selected_option, selected_user }]): [string, string][] => {
    const text = selected_option?.value ?? selected_user ?? value ?? '';
    return text === '' ? [] : [[field, text]];
  });
  return {
    by: { user: user.id, team: user.team_id ?? UNKNOWN_TEAM },
    view: view.id,
    memory: memory.data,
    values: new Map(values),
    typed: new Map(fields.flatMap(([field, { value }]): [string, string][] => (value ? [[field, value]] : []))),
    choices: new Map(
      fields.flatMap(([field, { selected_options: chosen }]): [string, readonly string[]][] =>
        chosen == null ? [] : [[field, chosen.map(({ value }) => value)]],
      ),
    ),
  };
}
