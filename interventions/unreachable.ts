/** Ends an exhaustive switch: a new case without a branch does not compile. */
export function unreachable(value: never): never {
  throw new Error(`A case was forgotten: ${JSON.stringify(value)}. Handle it where this was thrown.`);
}
