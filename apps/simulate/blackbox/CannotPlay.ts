/** Why a run cannot be made or go on, in a sentence that says what to do. */
export class CannotPlay extends Error {
  override readonly name = "CannotPlay"
}
