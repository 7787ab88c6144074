/** Options that cannot be run, in a sentence. */
export class BadOptions extends Error {
  override readonly name = "BadOptions"
}
