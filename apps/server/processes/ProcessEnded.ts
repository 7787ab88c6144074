import { Data } from "effect"

/** A process that was to go on ended with this exit code, or of this signal. */
export class ProcessEnded extends Data.TaggedError("ProcessEnded")<{
  readonly name: string
  readonly how: number | string
}> {
  override get message(): string {
    const how = typeof this.how === "string" ? `of ${this.how}` : `with exit code ${this.how}`
    return `Process ${this.name} of the service ended ${how}.`
  }
}
