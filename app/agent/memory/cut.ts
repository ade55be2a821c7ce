import type { Message } from '../../../interventions/index.ts';

/**
 * The first place at or after `least` where a conversation can begin: a message of a person. A run may be all tool
 * calls; then a request that is followed by its results will do. `undefined` when there is neither.
 */
export function cutPoint(messages: readonly Message[], least: number): number | undefined {
  const places = messages.map((_message, index) => index).slice(Math.max(least, 1));
  return (
    places.find((index) => isSpoken(messages[index])) ?? places.find((index) => isAnsweredRequest(messages, index))
  );
}

function isSpoken(message: Message | undefined): boolean {
  return message?.role === 'user' && message.origin === undefined && !has(message, 'toolResult');
}

function isAnsweredRequest(messages: readonly Message[], index: number): boolean {
  const [request, results] = [messages[index], messages[index + 1]];
  return request?.role === 'assistant' && has(request, 'toolUse') && has(results, 'toolResult');
}

function has(message: Message | undefined, type: 'toolUse' | 'toolResult'): boolean {
  return message?.content.some((block) => block.type === type) === true;
}
