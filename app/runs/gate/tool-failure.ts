/** A failure of the tool itself, in the words that the model is told. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}
