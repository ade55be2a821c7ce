import { isObject, parseJson } from '../json.ts';
import { type Answer, type AnswerPart, call, text } from './answer.ts';
import { HOSTILE } from './hostile.ts';
import type { ModelRequest, ToolResult } from './request.ts';

/** A written conversation: whether it is meant, and what is said next, both decided by the request alone. */
export interface Conversation {
  /** What a person writes to begin it, as it is offered to people. */
  readonly example: string;
  readonly begins: (said: string) => boolean;
  readonly play: (request: ModelRequest) => Answer;
}

const SERVICES = ['payments', 'search', 'mail'];
const FLEET = ['payments', 'search', 'billing', 'mail'];

export const CONVERSATIONS: readonly Conversation[] = [
  {
    example: 'ask me with a form how to restart',
    begins: (said) => /\bask me with a form\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I need to know a few things.',
        calls: [
          call('ask_person', {
            question: 'How may I restart the payments service?',
            form: {
              type: 'object',
              properties: {
                when: { type: 'string', enum: ['Now', 'Tonight'], title: 'When' },
                minutes: { type: 'integer', minimum: 1, maximum: 60, title: 'For how long, in minutes' },
                tellUsers: { type: 'boolean', title: 'Tell its users' },
                note: { type: 'string', title: 'What to tell them', maxLength: 200 },
              },
              required: ['when', 'minutes', 'tellUsers'],
            },
          }),
        ],
        closing: ([result]) =>
          result === undefined || wasRefused(result)
            ? 'Understood, I asked and nobody said.'
            : `Understood. I heard: ${result.text}`,
      }),
  },
  {
    example: 'ask me when to restart',
    begins: (said) => /\bask me\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I need to know one thing.',
        calls: [
          call('ask_person', {
            question: 'When may the payments service go away for a minute?',
            choices: ['Now', 'Tonight'],
          }),
        ],
        closing: ([result]) =>
          result === undefined || wasRefused(result)
            ? 'Understood, I asked and nobody said.'
            : `Understood. I heard: ${result.text}`,
      }),
  },
  {
    example: 'restart everything',
    begins: (said) => /restart (everything|all)/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will restart all three services.',
        calls: SERVICES.map((service) => call('restart_service', { service })),
        closing: (results) => {
          const [done, left] = [results.filter((result) => !wasRefused(result)), results.filter(wasRefused)];
          if (left.length === 0) return `Done. All ${done.length} services were restarted.`;
          if (done.length === 0) return 'Understood, I restarted none of them.';
          return `Restarted: ${names(done)}. Left alone: ${names(left)}.`;
        },
      }),
  },
  {
    example: 'restart the fleet',
    begins: (said) => /restart the (whole )?fleet/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will restart the whole fleet, one service after the other.',
        calls: FLEET.map((service) => call('restart_service', { service })),
        closing: (results) => {
          const left = results.filter(wasRefused).length;
          return `The fleet: ${results.length - left} of ${results.length} services were restarted.`;
        },
      }),
  },
  {
    example: 'restart the payments service',
    begins: (said) => /\brestart\b/i.test(said),
    play: (request) => {
      const service = /restart (?:the )?([\w-]+)/i.exec(request.said)?.[1]?.toLowerCase() ?? 'payments';
      return withTools(request, {
        opening: `I will restart the ${service} service.`,
        calls: [call('restart_service', { service })],
        closing: ([result]) =>
          result !== undefined && didNotFit(result)
            ? `That did not work, and nobody was asked. ${result.text}`
            : result !== undefined && wasRefused(result)
              ? `Understood, I left the ${service} service alone. I can look at its status instead: just ask for the status.`
              : `Done. The ${service} service was restarted.`,
      });
    },
  },
  {
    example: 'status',
    begins: (said) => /\bstatus\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'Let me look.',
        calls: [call('service_status', { service: 'payments' })],
        closing: ([result]) =>
          result === undefined || wasRefused(result)
            ? 'I could not look at the status.'
            : `This is what I see:\n\n${asList(result.text)}`,
      }),
  },
  {
    example: 'drop the old database',
    begins: (said) => /\bdrop\b.*\bdatabase\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will drop the old database. This cannot be undone.',
        calls: [call('drop_database', { database: 'payments_old' })],
        closing: ([result]) =>
          result === undefined || wasRefused(result)
            ? 'Understood, the database stays. I can list what is in it instead.'
            : 'Done. The old database is gone.',
      }),
  },
  {
    example: 'hostile',
    begins: (said) => /\bhostile\b/i.test(said),
    play: (request) =>
      withTools(request, {
        opening: 'I will run the report.',
        calls: [call('run_report', { query: HOSTILE })],
        closing: ([result]) =>
          result === undefined || wasRefused(result) ? 'Understood, no report.' : 'Done. The report ran.',
      }),
  },
  {
    example: 'explain how you work',
    begins: (said) => /\b(explain|long)\b/i.test(said),
    play: () =>
      [
        '## How I work\n\n',
        'I answer in this thread. When I want to do something that *changes* anything, I ask first:\n\n',
        '1. You see **what** I want to run, with every detail.\n',
        '2. A person **approves** or **denies**.\n',
        '3. Only then it runs, and it runs **once**.\n\n',
        'Looking at things is free:\n\n```\nservice_status payments\n```\n\n',
        '> What was shown is what runs.\n',
      ].join(''),
  },
  {
    example: 'hello, with a picture, a PDF or a text',
    begins: (said) => /\[file: /.test(said),
    play: (request) => `I can see ${seen(request)}. I am only a script, so that is all I can say about it.`,
  },
  {
    example: 'hello',
    begins: (said) => /\b(hello|hi|hey)\b/i.test(said),
    play: () => 'Hello! Ask me to restart a service, or for its status.',
  },
];

/** What kinds of media the request holds, as a proof that they arrived. */
function seen({ body }: ModelRequest): string {
  const kinds = JSON.stringify(body).match(/"type":"(?:image|document)","source"/g) ?? [];
  const pictures = kinds.filter((kind) => kind.includes('image')).length;
  const documents = kinds.length - pictures;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(pictures, 'picture')} and ${count(documents, 'document')}`;
}

/** What is said when nothing else fits. */
export function whatICanPlay(conversations: readonly Conversation[]): Answer {
  const examples = conversations.map(({ example }) => `- ${example}`).join('\n');
  return `I am a script, so I know only a few conversations. Try one of these:\n\n${examples}`;
}

interface Scene {
  readonly opening: string;
  readonly calls: readonly AnswerPart[];
  readonly closing: (results: readonly ToolResult[]) => string;
}

/** Asks for the tools first, and closes when they have answered. Only tools that the request offers are called. */
function withTools(request: ModelRequest, scene: Scene): Answer {
  if (request.results.length > 0) return scene.closing(request.results);
  const offered = scene.calls.filter((part) => part.type === 'tool_use' && request.tools.includes(part.name));
  if (offered.length > 0) return { content: [text(scene.opening), ...offered] };
  const wanted = scene.calls.flatMap((part) => (part.type === 'tool_use' ? [part.name] : []));
  return `I would use ${[...new Set(wanted)].join(', ')} for that, but I was not given it.`;
}

/** A refusal is an error result, or one that says in words that nothing ran. */
function wasRefused({ isError, text: words }: ToolResult): boolean {
  return (
    isError ||
    /\b(denied|refused|declined|rejected|expired|cancelled|did not run|was not run|not allowed)\b/i.test(words)
  );
}

/** The call never reached a person: its input was not one that the tool takes. */
function didNotFit({ isError, text: words }: ToolResult): boolean {
  return isError && words.startsWith('The input does not fit');
}

/** What a tool returned as JSON, in lines that people read. */
function asList(json: string): string {
  const value = parseJson(json);
  if (!isObject(value)) return json;
  return Object.entries(value)
    .map(
      ([name, facts]) =>
        `- **${name}**: ${
          isObject(facts)
            ? Object.entries(facts)
                .map(([what, is]) => `${what} ${is}`)
                .join(', ')
            : String(facts)
        }`,
    )
    .join('\n');
}

function names(results: readonly ToolResult[]): string {
  return results.map(({ input }) => JSON.stringify(input)).join(', ');
}
