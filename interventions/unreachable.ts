/** The end of every exhaustive switch: a new case that nobody handles does not compile. */
export function unreachable(value: never): never {
  throw new Error(`A case was forgotten: ${JSON.stringify(value)}. Handle it where this was thrown.`);
}
