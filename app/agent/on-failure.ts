/** The result of the work. A failure goes to the caller, after `last` did what the failure still asks for. */
export async function onFailure<Result>(
  work: () => Promise<Result> | Result,
  last: (error: unknown) => Promise<void> | void,
): Promise<Result> {
  try {
    return await work();
    // The work may fail in any way. The place of the call says what has to be done first.
  } catch (error) {
    await last(error);
    throw error;
  }
}
