import { canonical } from '../../interventions/index.ts';
import type { AskedApproval } from '../journal/index.ts';
import { readJson } from '../json.ts';
import { LIMITS } from '../limits.ts';
import type { SchemaProblem } from '../questions/index.ts';
import { InquiryContent } from '../records/index.ts';
import type { SafeWords, SaidAbout } from '../secrets/index.ts';

/** The answer as it is stored and told, without the secrets that can be recognised in it. */
export function safeAnswer(
  safe: SafeWords,
  { wants }: Pick<AskedApproval, 'wants'>,
  about: SaidAbout,
  answer: string,
): Promise<string> {
  return wants?.form === undefined ? safe.words(about, answer) : safe.form(wants.form, answer);
}

/** Why this cannot be kept or does not answer the form, or `undefined`. The agent gets exactly what it asked for. */
export async function whyNoAnswer(
  schemaProblem: SchemaProblem,
  { wants }: Pick<AskedApproval, 'wants'>,
  answer: string,
): Promise<string | undefined> {
  if (answer.length > LIMITS.answerChars) return 'This is too long to be kept. Shorten the longest field.';
  if (wants?.form === undefined) return undefined;
  const content = readContent(answer);
  if (content === undefined) return 'This is no answer to the form. Open it again from the card.';
  const problem = await schemaProblem(wants.form, content);
  return problem === undefined ? undefined : `The form does not take this: ${problem}`;
}

function readContent(answer: string): InquiryContent | undefined {
  const value = readJson(answer);
  const read = InquiryContent.safeParse(value);
  return read.success && canonical(value) === answer ? read.data : undefined;
}
