/** Why there is nothing to listen to, in a sentence; waiting does not help. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"
}

/** The service does not answer as it should, for now; no full stop at the end. */
export class Unavailable extends Error {
  override readonly name = "Unavailable"
}
