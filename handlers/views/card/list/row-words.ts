import type { Approval } from '../../../../app/records/index.ts';
import { flatPairs, parsed } from '../../kit/input-text.ts';
import { SHOWN } from '../../kit/limits.ts';
import { cutMiddle, visible } from '../../kit/text.ts';
import { hidesUndeclared } from '../call.ts';

/** What one line of a list card says of a call, and whether it says all of it. */
export interface RowWords {
  /** The tool's own sentence, cut to the room that is left. */
  readonly sentence: string;
  readonly isCut: boolean;
  /** The whole input in one line. Absent where the line cannot show all that will run. */
  readonly input?: string;
  /** What would change. */
  readonly preview?: string;
}

/** The line is laid out from its call alone, so that what a press may decide does not depend on the other rows. */
export function rowWords(approval: Approval): RowWords {
  const sentence = approval.summary.trim().replace(/\.$/, '').replace(/\s+/g, ' ') || approval.tool;
  const preview = (approval.preview ?? '').trim().replace(/\s+/g, ' ');
  const input =
    hidesUndeclared(approval) || approval.tool.length > SHOWN.rowToolChars ? undefined : oneLine(approval.input);
  const taken = visible(input ?? '').length + visible(preview).length;
  if (input === undefined || taken > SHOWN.rowChars - SHOWN.rowSentenceChars) {
    const cut = cutMiddle(sentence, SHOWN.rowChars);
    return { sentence: cut, isCut: cut !== sentence };
  }
  const cut = cutMiddle(sentence, SHOWN.rowChars - taken);
  return { sentence: cut, isCut: cut !== sentence, input, ...(preview === '' ? {} : { preview }) };
}

/** A row that does not show all of what will run has no Approve. `app/approvals/` asks this before it accepts one. */
export function showsWholeInRow(approval: Approval): boolean {
  return rowWords(approval).input !== undefined;
}

/**
 * The input in one line: as pairs where each can be told from its neighbours, else as JSON. JSON never begins as pairs do, so two
 * different inputs never look alike.
 */
function oneLine(json: string): string | undefined {
  return json.length > SHOWN.rowChars || parsed(json) === undefined ? undefined : inputInLine(json);
}

export function inputInLine(json: string): string {
  const pairs = flatPairs(json);
  if (pairs === undefined || pairs.some(({ value }) => /, |: /.test(`${value} `))) return json;
  return pairs.map(({ name, value }) => `${name}: ${value}`).join(', ');
}

/** A short name for each call of a list, for buttons: the value in which they differ, if it is a plain word. */
export function rowNames(approvals: readonly Approval[]): readonly string[] {
  const inputs = approvals.map(({ input }) => flatPairs(input) ?? []);
  const differing = inputs[0]?.find(({ name }) => {
    const values = inputs.map((pairs) => pairs.find((pair) => pair.name === name)?.value);
    return new Set(values).size === values.length;
  });
  return approvals.map(({ tool }, at) => {
    const value = inputs[at]?.find(({ name }) => name === differing?.name)?.value ?? '';
    return cutMiddle(/^[\w./@-]{1,40}$/.test(value) ? value : visible(tool), SHOWN.rowNameChars);
  });
}
