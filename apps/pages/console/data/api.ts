import { makeClient } from "../../../../adapters/http/client/client.ts"
import { ConnectionFailed, PayportError } from "../../../../adapters/http/client/PayportError.ts"
import { ownFetch, root } from "./session.ts"

/** The typed client. The server replaces this text with the session's key. */
export const api = makeClient({
  baseUrl: `${location.origin}${root()}/console/api`,
  apiKey: "session",
  fetch: ownFetch,
  retries: 1,
})

/** A try without an answer may have succeeded, so changed values are not sent as another one. */
const CHANGED =
  "An earlier try had no answer and may have gone through, with other values. Close this, and " +
  "look at what has happened before you try again."

/** Describes an error for a reader. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof PayportError) {
    return error.code === "IDEMPOTENCY_KEY_USED" ? CHANGED : error.message
  }
  if (error instanceof ConnectionFailed) return "The service did not answer. Try again."
  return error instanceof Error ? error.message : "Something went wrong."
}
