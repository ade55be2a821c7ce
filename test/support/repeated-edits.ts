import type { ApiRequest } from '../../sandbox/records.ts';

/** What Slack was sent although the message or page showed exactly that already. An edit that Slack did not take shows nothing. */
export function repeatedEdits(requests: readonly ApiRequest[]): readonly string[] {
  const shown = new Map<string, string>();
  return requests.flatMap(({ method, arguments: given, answer }) => {
    const place = PLACES[method]?.(given);
    if (place === undefined || !isTaken(answer)) return [];
    const { text, blocks, view, chunks } = given;
    const shows = JSON.stringify({ text, blocks, view });
    const isAgain = method !== 'chat.appendStream' && shown.get(place) === shows;
    shown.set(place, chunks === undefined ? shows : '');
    return isAgain ? [`${method} of ${place} shows the same again: ${shows.slice(0, 200)}`] : [];
  });
}

type Given = ApiRequest['arguments'];
const message = ({ channel, ts }: Given): string => `${String(channel)} ${String(ts)}`;

const PLACES: Readonly<Record<string, (given: Given) => string>> = {
  'chat.update': message,
  'chat.appendStream': message,
  'chat.stopStream': message,
  'views.publish': ({ user_id: user }) => `the page of ${String(user)}`,
};

const isTaken = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'ok' in answer && answer.ok === true;
