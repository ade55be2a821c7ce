/** The tool's own failure, in the words the model is told. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}
