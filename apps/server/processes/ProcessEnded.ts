import { Data } from "effect"

/** A process that should have continued ended, with this exit code or by this signal. */
export class ProcessEnded extends Data.TaggedError("ProcessEnded")<{
  readonly name: string
  readonly how: number | string
}> {
  override get message(): string {
    const how = typeof this.how === "string" ? `of ${this.how}` : `with exit code ${this.how}`
    return `Process ${this.name} of the service ended ${how}.`
  }
}
