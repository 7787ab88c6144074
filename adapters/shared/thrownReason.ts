import { Result } from "effect"

const NONE = "It threw a value without a message."

/** Returns the message of what a host's code has thrown, which may be any value. */
export const thrownReason = (thrown: unknown): string => {
  const said = Result.try((): unknown =>
    typeof thrown === "object" && thrown !== null ? Reflect.get(thrown, "message") : thrown,
  )
  const text = Result.isSuccess(said) && typeof said.success === "string" ? said.success : ""
  return text.trim().slice(0, 256) || NONE
}
