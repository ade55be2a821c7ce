import type { KnownBlock, ModalView } from '@slack/types';
import type { Inquiry } from '../../../app/records/index.ts';
import {
  drawField,
  type Field,
  type FormMemory,
  footnote,
  form,
  mixedNote,
  mixedWords,
  mrkdwn,
  plain,
  quotation,
  readFields,
  SHOWN,
  SLACK,
  section,
  seenAs,
  toolName,
} from '../../views/index.ts';

export const ANSWER = { id: 'inquiry_form', title: 'A question for you' } as const;

/** The server's form, with its words marked as such. `undefined` when a part of it cannot be drawn. */
export function inquiryForm({ server, message, schema }: Inquiry, memory: FormMemory): ModalView | undefined {
  const fields = readFields(schema);
  if (fields === undefined || !areToldApart(fields)) return undefined;
  const view = form(ANSWER, { submit: 'Send', memory }, [
    section('head', mrkdwn`The tool server \`${toolName(server)}\` asks`),
    quotation('message', 'In the server’s own words', message, SLACK.sectionChars),
    ...(fields.length === 0 ? [] : [footnote('fields', [plain(BY_SERVER, SHOWN.noteChars)])]),
    ...fields.map(drawField),
    ...lookAlikes('mixed', { message, schema }),
    footnote('care', [plain(CARE, SHOWN.noteChars)]),
  ]);
  return new TextEncoder().encode(JSON.stringify(view)).length <= SLACK.viewBytes ? view : undefined;
}

/** A person has to see which field is which. */
function areToldApart(fields: readonly Field[]): boolean {
  const labels = fields.map(({ label }) => seenAs(label, SHOWN.noteChars));
  return !labels.includes('') && new Set(labels).size === labels.length;
}

/** Names words of the server that look like other words. */
export function lookAlikes(
  id: string,
  { message, schema }: Pick<Inquiry, 'message' | 'schema'>,
): readonly KnownBlock[] {
  const words = (readFields(schema) ?? []).flatMap(({ label, hint = '', kind }) => [
    ...[label, hint],
    ...('options' in kind ? kind.options.map(({ text }) => text) : []),
  ]);
  const mixed = mixedWords([message, ...words].join('\n'));
  return mixed === undefined ? [] : [footnote(id, [plain(mixedNote(mixed), SHOWN.noteChars)])];
}

/** Can the form of this inquiry be drawn? Only then does its card have the button. */
export function canAnswer(inquiry: Inquiry): boolean {
  const { id, thread } = inquiry;
  return inquiryForm(inquiry, { approval: id, card: thread, threadTs: thread.ts }) !== undefined;
}

/** Their words could be taken for those of the bot. */
const BY_SERVER = 'The tool server wrote these fields.';

const CARE =
  'Your answer goes to the tool server, which is not a part of this bot. Never type a password or a key here.';
