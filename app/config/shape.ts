import { z } from 'zod';
import { CAPS, type Rule, RuleSchema } from '../authority/index.ts';
import { LIMITS } from '../limits.ts';
import { type RedactSettings, RedactSettingsSchema } from '../secrets/index.ts';
import { DURABILITIES, type Durability } from '../store/index.ts';
import {
  type FolderTool,
  isTool,
  LONGEST_LIFETIME_MS,
  type Tool,
  ToolPolicySchema,
  type WrittenPolicy,
} from '../tools/index.ts';
import { WHO_MAY_ASK, type WhoMayAsk } from '../who-may-ask.ts';
import { RetentionSettings } from './retention.ts';

/** What a deployment writes. Every setting is optional. */
export interface ConfigInput {
  readonly tools?: readonly Tool[];
  /** Every file in this folder is loaded at start. Default: `tools` beside the configuration, if it exists. */
  readonly toolsFolder?: string;
  /** The file that lists tool servers. Default: `mcp.json` beside the configuration, if it exists. */
  readonly toolServers?: string;
  /**
   * The ids of the workspaces (`T…`) and whole organisations (`E…`) that may install the app and use it, or `'anybody'`
   * for every workspace on Slack. Required where workspaces install the app themselves; ignored with a bot token.
   */
  readonly workspaces?: Config['workspaces'];
  /** Hosts whose pages may be fetched without asking a person. The owner of a host can read what the agent asks for. */
  readonly openHosts?: readonly string[];
  /** For a developer's computer: files of the folder are loaded again when they change. */
  readonly development?: boolean;
  /** By the name of the tool; a tool of a tool server is named `server__tool`. */
  readonly policy?: Readonly<Record<string, WrittenPolicy>>;
  /**
   * Which calls are denied, guarded, asked or allowed, beyond what each tool says of itself. The strongest rule that
   * fits wins (deny, guard, ask, allow), and of equally strong ones the first. Write them with `defineRule`.
   */
  readonly rules?: readonly Rule[];
  /**
   * Whose messages the agent is given: full members (default), `'guests'` too, or `'anybody'`: also people of other
   * organisations, and bots that mention it. It gives no right to decide.
   */
  readonly whoMayAsk?: WhoMayAsk;
  /** The slash commands are `/word-trust` and so on, where another app has taken `/trust`. The manifest has to say the same. */
  readonly commandPrefix?: string;
  /** The people whose Home tab lists calls that were approved several times in a row, for which a rule could be written. Default: none. */
  readonly suggestionsTo?: readonly string[];
  readonly limits?: z.input<typeof Limits>;
  readonly times?: Partial<Config['times']>;
  /** What a stored decision or start must survive before the bot acts on it. Redis must be set up for it. */
  readonly durability?: Durability;
  /** Archives and removes ended runs. Default: every run is kept. */
  readonly retention?: z.input<typeof RetentionSettings>;
  readonly model?: Partial<Config['model']>;
  /** What the agent should know and heed here; added to its system prompt. */
  readonly instructions?: string;
  /** What else is a secret in this deployment: hidden on cards, in logs and in the audit. */
  readonly redact?: Partial<RedactSettings>;
  /** The sign-on in front of the bot's own pages: its header, and the Slack id for each of its values. */
  readonly signOn?: { readonly header: string; readonly people: Readonly<Record<string, string>> };
}

type Written = z.output<typeof ConfigSchema>;

/** What the bot runs on: every value is set, and the policy is applied to all tools, the built-in ones included. */
export interface Config extends Readonly<Omit<Written, 'tools' | 'toolsFolder' | 'toolServers'>> {
  /** All tools except those of tool servers, which are known only when a server has answered. */
  readonly tools: readonly Tool[];
  /** The tools of the folder, as they were defined there. */
  readonly folderTools: readonly FolderTool[];
  /** An absolute path; undefined when there is no folder. */
  readonly toolsFolder: string | undefined;
  readonly toolServers: string | undefined;
}

const count = z.number('must be a number').int('must be a whole number').positive('must be above 0');
const ms = count.max(2 ** 31 - 1, 'must be at most 24 days: it is in milliseconds');

const price = z.number('must be a number').nonnegative('must not be negative');

const Limits = z.strictObject({
  turnsPerRun: count.default(LIMITS.turnsPerRun),
  /** All calls of a turn may wait for people at once, and one append must be able to cancel them all. */
  toolCallsPerTurn: count
    .max(LIMITS.toolCallsPerTurn, `must be at most ${LIMITS.toolCallsPerTurn}`)
    .default(LIMITS.toolCallsPerTurn),
  toolOutputChars: count.default(LIMITS.toolOutputChars),
  /** How many approvals in a row of one call suggest a rule. */
  suggestAfter: count.max(LIMITS.settledShown, `must be at most ${LIMITS.settledShown}`).default(LIMITS.suggestAfter),
  ...CAPS,
});

const Times = z.strictObject({
  /** Without an answer for this long, the approval expires. That is not a denial. */
  approvalLifetimeMs: count.max(LONGEST_LIFETIME_MS, 'must be at most 30 days').default(LIMITS.approvalLifetimeMs),
  /** A longer wait leaves the memory of the process and goes on from the journal. */
  hotMs: ms.default(LIMITS.hotMs),
  /** A denied call is not asked again for this long in the same thread, and never in the same run. */
  afterDenialMs: z
    .number('must be a number')
    .int('must be a whole number')
    .nonnegative('must not be negative')
    .default(LIMITS.afterDenialMs),
  /** For a tool that names no limit of its own. */
  toolTimeoutMs: ms.default(60_000),
  /** Over HTTP: how long a process that was told to stop still takes deliveries, while `/readyz` answers 503. */
  deliveriesWhileStoppingMs: z
    .number('must be a number')
    .int('must be a whole number')
    .nonnegative('must not be negative')
    .max(LIMITS.deliveriesWhileStoppingMostMs, 'must be at most 10 s: platforms kill a process 30 s after SIGTERM')
    .default(LIMITS.deliveriesWhileStoppingMs),
});

const THINKING = "must be 'adaptive', 0, or a whole number of 1024 and more";

const Model = z
  .strictObject({
    /** `ANTHROPIC_MODEL` overrides it. */
    name: z.string('must be the name of a model').min(1, 'must be the name of a model').default('claude-sonnet-5-5'),
    maxTokens: count.default(16_000),
    /** `adaptive`: as much as the model sees fit; a number: at most so many tokens; 0: the request does not mention it. */
    thinking: z
      .union([z.literal('adaptive'), z.literal(0), z.number().int(THINKING).min(1024, THINKING)], THINKING)
      .default(0),
    /** For a million tokens of each kind. With prices, `usage` shows money beside tokens. */
    prices: z
      .strictObject({
        input: price,
        output: price,
        cacheRead: price,
        cacheWrite: price,
        /** Only shown beside the amount. */
        currency: z
          .string()
          .regex(/^[A-Z]{3}$/, 'must be three capital letters, such as EUR')
          .optional(),
      })
      .optional(),
    /**
     * Search at the provider. It runs without asking, because the gate of the bot does not reach it, so a reason is
     * required. The provider's other tools cannot be switched on.
     */
    webSearch: z
      .strictObject({
        because: z.string('must be a reason').trim().min(1, 'must be a reason'),
        maxUses: count.max(20, 'must be at most 20').default(5),
      })
      .optional(),
    /** The time until the first word from the provider. */
    timeoutMs: ms.default(60_000),
    /** A stream that is silent for this long is given up. */
    silenceMs: ms.default(90_000),
    attempts: count.default(6),
  })
  .refine(({ thinking, maxTokens }) => thinking === 'adaptive' || thinking === 0 || thinking < maxTokens, {
    path: ['thinking'],
    message: 'must be below maxTokens, which holds the thinking and the answer',
  });

const SignOn = z.strictObject({
  header: z
    .string('must be the name of a header')
    .regex(/^[A-Za-z][A-Za-z0-9-]+$/, 'must be the name of a header, such as x-forwarded-email'),
  people: z.record(
    z.string().min(1),
    z.string().regex(/^[UW][A-Z0-9]{2,}$/, 'is not the Slack id of a person (U…). Copy it from the profile'),
    'must name people: who is signed on, and their Slack id',
  ),
});

const ToolSchema = z.custom<Tool>(isTool, 'is not a tool. Write: defineTool({ … })');

const path = z.string('must be a path').min(1, 'must be a path, or be left out').optional();

/** Exact names only: a pattern could open hosts that the deployment did not mean. */
const Host = z
  .string('must be the name of a host')
  .regex(
    /^(?=.{4,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]+$/,
    'must be the whole name of a host in small letters, such as docs.example.com: no scheme, port, path, pattern or address',
  );

const TeamId = z
  .string()
  .regex(
    /^[TE][A-Z0-9]{2,}$/,
    'is not the id of a workspace (T…) or of an organisation (E…). Copy it from the address of Slack in a browser',
  );

const LISTED = "must list the ids of workspaces (T…) and organisations (E…), as in ['T012ABCDE'], or be 'anybody'";
const Workspaces = z.union([z.literal('anybody'), z.array(TeamId).min(1, LISTED)], LISTED);

const PEOPLE = "must list the Slack ids of people, as in ['U012ABCDE']";
const PERSON = 'is not the Slack id of a person (U…). Copy it from the profile';
const PersonId = z.string(PERSON).regex(/^[UW][A-Z0-9]+$/, PERSON);

export const ConfigSchema = z.strictObject(
  {
    tools: z.array(ToolSchema, 'must be a list of tools').default([]),
    toolsFolder: path,
    toolServers: path,
    workspaces: Workspaces.optional(),
    whoMayAsk: z.enum(WHO_MAY_ASK, "must be 'members', 'guests' or 'anybody'").default('members'),
    commandPrefix: z
      .string('must be a word')
      .regex(/^[a-z0-9]{1,20}$/, 'must be 1 to 20 small letters and digits, such as acme')
      .optional(),
    suggestionsTo: z.array(PersonId, PEOPLE).default([]),
    openHosts: z.array(Host, 'must be a list of hosts').default([]),
    development: z.boolean('must be true or false').default(false),
    policy: z.record(z.string(), ToolPolicySchema).default({}),
    rules: z.array(RuleSchema, 'must be a list of rules').default([]),
    limits: Limits.prefault({}),
    times: Times.prefault({}),
    durability: z.enum(DURABILITIES, "must be 'process', 'replica' or 'disk'").default('process'),
    /** Absent: no run is ever removed. */
    retention: RetentionSettings.optional(),
    model: Model.prefault({}),
    redact: RedactSettingsSchema.prefault({}),
    signOn: SignOn.optional(),
    instructions: z.string('must be text').max(50_000, 'must be at most 50,000 characters').optional(),
  },
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? undefined : 'the default export must be defineConfig({ … })',
  },
);
