import { isObject, parseJson } from '../../json.ts';
import { call } from '../../model/answer.ts';
import type { Conversation } from '../../model/conversation.ts';
import { withTools } from '../kit/with-tools.ts';

const ASKED_AGAIN = /Nobody answered your request in time.*The tool: ("(?:[^"\\]|\\.)*").*The input: (\{.*\})/s;

/** Answers what *Ask again* on an expired card says for the person who pressed it. */
export const askAgain: Conversation = {
  begins: (said) => ASKED_AGAIN.test(said),
  play: (request) => {
    const [, tool = '', input = ''] = ASKED_AGAIN.exec(request.said) ?? [];
    const [name, wanted] = [parseJson(tool), parseJson(input)];
    if (typeof name !== 'string' || !isObject(wanted)) return 'I no longer know what I asked for. Please say it again.';
    return withTools(request, { opening: 'I ask again, for the same thing.', calls: [call(name, wanted)] });
  },
};
