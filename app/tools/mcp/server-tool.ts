import type { Json } from '../../../interventions/index.ts';
import type { Log } from '../../log.ts';
import { applyPolicy, DEFAULT_TRUST, type Tool, type ToolPolicy, type ToolRunHelp } from '../index.ts';
import { inputCheck, schemaForModel } from './call/input.ts';
import { longestCallMs } from './call/running.ts';
import { readDefinition, type ServerTool } from './definition.ts';
import type { ServerSettings } from './file.ts';
import { toolName } from './names.ts';
import type { ComparedPin } from './pins.ts';

export interface ServerToolDeps {
  readonly settings: ServerSettings;
  readonly policy: Readonly<Record<string, ToolPolicy>>;
  readonly log: Log;
  readonly call: (tool: ServerTool, input: Json, help: ToolRunHelp) => Promise<unknown>;
}

/**
 * A tool of a server as the bot offers it: at least asked. A tool that has changed since it was allowed is guarded, and
 * keeps the description that was allowed. `undefined` when it cannot be offered.
 */
export function offer(tool: ServerTool, look: ComparedPin, deps: ServerToolDeps): Tool | undefined {
  if (look.standing === 'changes-too-often') return undefined;
  const changed = look.standing === 'changed';
  const shown = changed ? readDefinition(look.allowed) : { ok: true as const, tool };
  if (!shown.ok) return undefined;

  const { settings, call } = deps;
  const { name: server, timeoutMs, identity } = settings;
  const name = toolName(server, tool.name);
  const plain: Tool = {
    name,
    description: shown.tool.description,
    inputSchema: schemaForModel(shown.tool.inputSchema),
    effect: tool.effect,
    because: undefined,
    // A server may claim that a repeat is harmless. After a crash a person decides all the same.
    idempotent: false,
    timeoutMs: longestCallMs(timeoutMs),
    trust: tool.effect === 'asked' ? DEFAULT_TRUST : undefined,
    approvers: [],
    selfApproval: tool.effect !== 'guarded',
    origin: server,
    fingerprint: `${identity} ${tool.hash}`,
    parse: inputCheck(shown.tool.inputSchema),
    summarise: () => {
      const sentence = `Call ${name} on the tool server ${server}.`;
      return changed ? `${sentence} Its definition has changed since it was last allowed.` : sentence;
    },
    preview: undefined,
    precondition: undefined,
    run: (input, help) => call(tool, input, help),
  };
  const ruled = underPolicy(plain, tool, deps);
  return changed ? { ...guarded(ruled), changed } : ruled;
}

/** The deployment may raise a class, and lower it with a reason. With a policy that cannot be applied, the tool is guarded. */
function underPolicy(plain: Tool, tool: ServerTool, { policy, log }: ServerToolDeps): Tool {
  const rules = policy[plain.name];
  if (rules === undefined) return plain;
  const lowers = tool.effect === 'guarded' && rules.effect === 'asked' && rules.because === undefined;
  const result = lowers
    ? {
        ok: false as const,
        key: 'effect',
        problem: "lowers a tool that its server calls destructive: add because: '…' with the reason",
      }
    : applyPolicy(plain, rules);
  if (result.ok) return result.tool;
  log.error('Correct the policy of a tool: it cannot be applied, and until then the tool is guarded.', {
    tool: plain.name,
    problem: `policy.${plain.name}.${result.key} ${result.problem}`,
  });
  return guarded({ ...plain, approvers: rules.approvers ?? [] });
}

function guarded(tool: Tool): Tool {
  return { ...tool, effect: 'guarded', because: undefined, trust: undefined, selfApproval: false };
}
