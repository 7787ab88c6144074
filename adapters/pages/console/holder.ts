import type { IncomingHttpHeaders } from "node:http"
import { Failure } from "../../../core/shared/Failure.ts"
import type { SignedIn } from "./whoHolds.ts"

/** The value of the console's header in a request that names no holder, such as a sign-in. */
export const NOBODY = "1"

/** Returns the holder of a session: an account, whichever key it uses, or an operator's key. */
export const holderOf = (who: SignedIn): string =>
  who.role === "operator" ? `operator:${encodeURIComponent(who.name ?? "")}` : who.account.id

const another = () =>
  new Failure({
    code: "FORBIDDEN",
    message:
      "Somebody else has signed in to this browser since, in another window. Nothing was done. " +
      "Sign in again to go on as before.",
    details: { session: "another_holder" },
  })

/** Whether the details of a refusal say that the session has another holder. */
export const isOfAnother = (details: unknown): boolean =>
  typeof details === "object" &&
  details !== null &&
  Reflect.get(details, "session") === "another_holder"

/**
 * Refuses a request of a page that shows another holder than its cookie's: all windows of a browser
 * share the cookie, and a page must not act for an account that it does not show.
 */
export const refuseAnother = (
  headers: IncomingHttpHeaders,
  who: SignedIn,
): Failure<"FORBIDDEN"> | undefined => {
  const named = headers["x-payport-console"]
  return named === NOBODY || named === holderOf(who) ? undefined : another()
}
