import { isObject, parseJson } from '../../json.ts';
import { type Answer, call } from '../../model/answer.ts';
import { closing } from '../../model/closing.ts';
import { hear } from '../../model/outcome.ts';
import type { MessagesRequest, ToolResult } from '../../model/request.ts';
import { listInWords } from '../../model/results.ts';
import { isKnown, phrasesOf } from '../kit/phrases.ts';
import { play } from '../kit/play.ts';
import { withTools } from '../kit/with-tools.ts';

/** A mention or the name of the author may stand in front. */
const CALL = /^(?:\s*<@\w+>:?)*\s*call\s+([\w-]+)\s*([\s\S]*)$/i;

export const callATool = play({
  about: 'Any tool, with an input of your own.',
  example: 'call restart_service {"service":"mail"}',
  begins: CALL,
  says: (request) => {
    const [, tool = '', written = ''] = CALL.exec(request.said) ?? [];
    return called(request, tool, written.trim() === '' ? '{}' : written);
  },
  next: 'Write a tool of your own and start with: npm run demo -- --config mine.config.ts',
  isNext: ({ said }) => isKnown(CALL.exec(said)?.[1] ?? ''),
});

function called(request: MessagesRequest, tool: string, written: string): Answer {
  const { tools } = request;
  if (!tools.includes(tool)) {
    const given = tools.length === 0 ? 'I was given none.' : `I was given: ${tools.join(', ')}.`;
    return `I was not given a tool called ${tool}. ${given}`;
  }
  const input = parseJson(written);
  if (!isObject(input)) {
    return `I cannot read the input of ${tool}: it has to be a JSON object, as in call ${tool} {"name":"value"}.`;
  }
  return withTools(request, {
    opening: `I will call ${tool}.`,
    calls: [call(tool, input)],
    closing: ([result]) => whatCame(result),
  });
}

function whatCame(result: ToolResult): string {
  const { outcome } = hear(result);
  const said = closing(result, phrasesOf(result.tool));
  return outcome.type === 'ran' ? `${said} It answered:\n\n${listInWords(outcome.text)}` : said;
}
