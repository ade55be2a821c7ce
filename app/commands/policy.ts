import { createRuleNow, explain, lookAtApprovers, namedApprovers, policyFindings } from '../authority/index.ts';
import type { Config } from '../config/index.ts';
import { readJson } from '../json.ts';
import { count, createLog, type Log } from '../log.ts';
import { systemTimers } from '../time/index.ts';
import type { Live } from './live.ts';
import { unknownCommand } from './options.ts';

export interface PolicyCommandDeps {
  readonly config: Config;
  /** For the `${VARIABLES}` in the list of tool servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly read: (file: string) => string;
  readonly write: (line: string) => void;
  /** Tells the operator what cannot be used. */
  readonly say: (line: string) => void;
  readonly channel?: string | undefined;
  readonly requester?: string | undefined;
  /** Opens Slack. Given with `--live` alone. */
  readonly live?: (() => Promise<Live>) | undefined;
}

export const USAGE = `Usage: npm run policy -- explain <tool> <input.json | -> [--channel C…] [--requester U…]
       npm run policy -- check [--live]`;

/** Runs `npm run policy`. Returns the exit code: 1 when there are findings, 2 when the arguments cannot be used. */
export async function policyCommand(args: readonly string[], deps: PolicyCommandDeps): Promise<number> {
  const [action, tool, file, ...rest] = args;
  if (action === 'check' && tool === undefined) return check(deps);
  if (action === 'explain' && tool !== undefined && file !== undefined && rest.length === 0)
    return explainCall(tool, file, deps);
  deps.say(misread(args));
  return 2;
}

function misread([action, tool, file]: readonly string[]): string {
  if (action === 'check') return `check takes no arguments: ${tool} is too much.`;
  if (action !== 'explain') return unknownCommand(action, USAGE);
  if (tool === undefined) return 'explain needs the name of a tool, and a file with the input of the call.';
  return file === undefined
    ? 'explain needs a file with the input of the call, or - to type it in.'
    : 'explain takes one tool and one file.';
}

async function check({ config, env, write, live }: PolicyCommandDeps): Promise<number> {
  const findings = policyFindings({ ...config, servers: await serverNames(config, env) });
  const found = [...findings, ...(live === undefined ? [] : await lookUp(config, await live()))];
  for (const finding of found) write(finding);
  const { rules, tools } = config;
  if (found.length === 0)
    write(`No problems found in ${count(rules.length, 'rule')} and ${count(tools.length, 'tool')}.`);
  return found.length === 0 ? 0 : 1;
}

/** Who is named, as Slack knows them now: what `/readyz` of a running bot says. */
function lookUp(config: Config, { people, teams, close }: Live): Promise<readonly string[]> {
  const known = config.tools.map(({ name }) => name);
  // The tools of a server are known only to a running bot; what the policy says of them is known here.
  const later = Object.entries(config.policy).filter(([name]) => !known.includes(name));
  const tools = [...config.tools, ...later.map(([name, policy]) => ({ ...policy, name, deadlines: policy }))];
  const named = () => namedApprovers({ rules: config.rules, tools });
  return lookAtApprovers({ people, named }, teams).finally(close);
}

async function serverNames(
  { toolServers }: Pick<Config, 'toolServers'>,
  env: PolicyCommandDeps['env'],
): Promise<readonly string[]> {
  if (toolServers === undefined) return [];
  // Most deployments have no tool servers, and their client is slow to load.
  const { readServersFile } = await import('../tools/mcp/index.ts');
  return readServersFile(toolServers, env).servers.map(({ name }) => name);
}

async function explainCall(name: string, file: string, deps: PolicyCommandDeps): Promise<number> {
  const { config, read, write, say, channel = 'C', requester = 'U' } = deps;
  const tool = config.tools.find((one) => one.name === name);
  if (tool === undefined) {
    const there = config.tools.map((one) => one.name).join(', ');
    say(
      `No tool is called ${JSON.stringify(name)}. The tools are: ${there}. Only a running bot knows the tools of servers.`,
    );
    return 1;
  }
  const text = readText(file, read);
  if (text instanceof Error) {
    say(`${file} cannot be read (${text.message}). Name a file with the input of the call, or - to type it in.`);
    return 1;
  }
  const input = readJson(text);
  if (input === undefined) {
    say(`${file} holds no JSON. Write the input of the call into it, such as {"service":"mail"}.`);
    return 1;
  }
  const ruleNow = createRuleNow({ elapsed: () => performance.now(), timers: systemTimers, log: logTo(write) });
  const about = { tool, input, rules: config.rules, channel, requester, ruleNow };
  for (const line of await explain(about)) write(line);
  return 0;
}

/** What the function of a deployment did wrong is told in the order of the explanation. */
function logTo(write: (line: string) => void): Log {
  return createLog('warn', (line) => write(line.trim()));
}

function readText(file: string, read: (file: string) => string): string | Error {
  try {
    return read(file);
    // The file is missing or may not be read. The caller names it to the operator.
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
