import type { ModalView } from '@slack/types';
import type { Inquiry } from '../../../app/records/index.ts';
import {
  drawField,
  type FormMemory,
  footnote,
  form,
  mrkdwn,
  plain,
  quotation,
  readFields,
  SHOWN,
  SLACK,
  section,
  toolName,
} from '../../views/index.ts';

export const ANSWER = { id: 'inquiry_form', title: 'A question for you' } as const;

/** The server's form, with its words marked as such. `undefined` when a part of it cannot be drawn. */
export function inquiryForm({ server, message, schema }: Inquiry, memory: FormMemory): ModalView | undefined {
  const fields = readFields(schema);
  if (fields === undefined) return undefined;
  const view = form(ANSWER, { submit: 'Send', memory }, [
    section('head', mrkdwn`The tool server \`${toolName(server)}\` asks`),
    quotation('message', 'In the server’s own words', message, SLACK.sectionChars),
    ...fields.map(drawField),
    footnote('care', [plain(CARE, SHOWN.noteChars)]),
  ]);
  return new TextEncoder().encode(JSON.stringify(view)).length <= SLACK.viewBytes ? view : undefined;
}

/** Can the form of this inquiry be drawn? Only then does its card have the button. */
export function canAnswer(inquiry: Inquiry): boolean {
  const { id, thread } = inquiry;
  return inquiryForm(inquiry, { approval: id, card: thread, threadTs: thread.ts }) !== undefined;
}

const CARE =
  'Your answer goes to the tool server, which is not a part of this bot. Never type a password or a key here.';
