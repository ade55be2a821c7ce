/** One way in which a start ends with an error or gives a warning. */
export interface Trouble {
  readonly what: string;
  /** Changes to an environment with which the bot starts. An empty value takes a variable away. */
  readonly env?: Env;
  /** Files of the folder in which the bot is started. */
  readonly files?: Readonly<Record<string, string>>;
  readonly prepare?: (folder: string) => unknown;
  /** The environments of bots that ran in this folder before, and were stopped. */
  readonly before?: readonly Env[];
  /** Files that are new in the folder since then. */
  readonly changed?: Readonly<Record<string, string>>;
  /** The environment of a bot that runs in this folder at the same time. */
  readonly beside?: Env;
  /** Only a process of its own meets it, or can be ended in the middle of it. */
  readonly ofProcess?: true;
}

export type Env = Readonly<Record<string, string>>;

/** Servers that a trouble needs. */
export interface Servers {
  readonly redisUrl: string;
  /** Of a Redis that throws away what it has no room for. */
  readonly evictingUrl: string;
  /** Of a Redis that keeps nothing on its disk. */
  readonly forgetfulUrl: string;
  /** Of a server whose certificate is signed by an authority that Node does not know. */
  readonly unknownUrl: string;
  /** A port at which nothing listens. */
  readonly noPort: number;
  /** A port that a bot may take. */
  readonly port: number;
}

export const KEY = Buffer.alloc(32, 7).toString('base64');
export const NEWER_KEY = Buffer.alloc(32, 8).toString('base64');

/** A configuration file with this text, from its second line on. */
export const configured = (what: string, ...lines: readonly string[]): Trouble => ({
  what,
  files: { 'countersign.config.ts': ['export default {', ...lines.map((line) => `  ${line}`), '};', ''].join('\n') },
});

/** What `defineTool` makes, by hand: a folder of a trouble has no packages. */
export const toolNamed = (name: string): readonly string[] => [
  `  { name: '${name}', description: 'D.', inputSchema: {}, effect: 'asked', approvers: [], selfApproval: true,`,
  "    idempotent: false, origin: 'deployment', parse: (input) => ({ ok: true, input }), summarise: () => 'S.', run: () => '' },",
];
