/** A call that people approved again and again. */
export interface RepeatedlyApproved {
  readonly tool: string;
  readonly approvedInARow?: number | undefined;
  readonly suggestion?: string | undefined;
  /** Canonical, and without secrets. */
  readonly input: string;
  readonly requester: string;
}

/** The policy rule under which such calls would no longer ask, as code for the configuration. `undefined` when none is suggested. */
export function suggestedRule(call: RepeatedlyApproved): string | undefined {
  const { tool, requester, input, approvedInARow: times, suggestion } = call;
  if (times === undefined) return suggestion;
  const because = `Approved ${times} times in a row with this input.`;
  const when = `(input) => isDeepStrictEqual(input, ${input})`;
  return `{ name: ${quoted(`${tool} for ${requester}`)}, effect: 'allow', tool: ${quoted(tool)}, requester: ${quoted(requester)}, when: ${when}, because: ${quoted(because)} }`;
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
