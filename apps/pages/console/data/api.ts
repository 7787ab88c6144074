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

/** Describes an error for a reader. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof PayportError) return error.message
  if (error instanceof ConnectionFailed) return "The service did not answer. Try again."
  return error instanceof Error ? error.message : "Something went wrong."
}
