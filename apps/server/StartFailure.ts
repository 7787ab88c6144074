import { Data } from "effect"

/** Why the service cannot start, in one line that says what to do about it. */
export class StartFailure extends Data.TaggedError("StartFailure")<{
  readonly message: string
}> {}
