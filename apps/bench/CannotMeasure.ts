/** A service that cannot be measured; the message says why. */
export class CannotMeasure extends Error {
  override readonly name = "CannotMeasure"
}
