import { Data } from "effect"

/** The service cannot start; the message says in one line how to fix it. */
export class StartFailure extends Data.TaggedError("StartFailure")<{
  readonly message: string
}> {}
