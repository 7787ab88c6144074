/** The log cannot be followed, permanently; the message is a sentence. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"
}

/** The service does not answer properly at the moment; the message has no full stop. */
export class Unavailable extends Error {
  override readonly name = "Unavailable"
}
