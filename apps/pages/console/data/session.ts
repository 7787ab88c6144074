import { holderOf, isOfAnother, NOBODY } from "../../../../adapters/pages/console/holder.ts"
import type { SignedIn } from "../../../../adapters/pages/console/whoHolds.ts"
import { ConnectionFailed, errorOf } from "../../../../adapters/http/client/PayportError.ts"
import { noteAge } from "./age.ts"
import { noteTime } from "../show/clock.ts"

/** The signed-in account, and what the page has to know about the service. */
export type Session = SignedIn & {
  readonly mode: "live" | "sandbox"
  /** ISO 8601: when the session ends without further requests. */
  readonly ends_at: string
  /** The decimals of currencies that do not have two. */
  readonly exponents: { readonly [currency: string]: number }
}

/** Returns the path of the console, from the server. */
export const root = (): string =>
  document.querySelector<HTMLElement>("#console")?.dataset["root"] ?? ""

/** Who is signed in as far as this page knows. */
let holder = NOBODY

/** Who was signed in last. */
let last = NOBODY

/**
 * The header of this page's requests. It names the holder that the page shows: another window may
 * have signed somebody else in, and the service must not act for them.
 */
const own = () => ({ "X-Payport-Console": holder })

/** Whether the service has ended the session, and nobody has signed in since. */
let isOver = false
export const isSessionOver = (): boolean => isOver

let forget = () => {}

/** Calls `then` when somebody else signs in, or the holder signs out. */
export const onAnotherHolder = (then: () => void): void => void (forget = then)

/** Sends a request that only a page of the console can send, and no foreign page. */
export const ownFetch: typeof fetch = async (input, init) => {
  const headers = new Headers(init?.headers)
  for (const [name, value] of Object.entries(own())) headers.set(name, value)
  headers.delete("Authorization")
  const response = await fetch(input, { ...init, headers, credentials: "same-origin" })
  const [path = ""] = (input instanceof Request ? input.url : String(input)).split("?")
  noteTime(response.headers.get("Payport-Time"))
  noteAge(path, response.headers.get("Payport-Data-Age"))
  if (response.status === 401) end("Your session has ended. Sign in to go on.")
  else if (response.status === 403) await lookAtRefusal(response.clone())
  return response
}

const lookAtRefusal = async (response: Response): Promise<void> => {
  const { code, details, message } = errorOf(403, response.headers, await response.text())
  if (code === "ACCOUNT_SUSPENDED" || isOfAnother(details)) end(message)
}

type Ended = (why: string) => void
let tellEnded: Ended = () => {}

const end: Ended = (why) => {
  isOver = true
  tellEnded(why)
}

/** Calls `then` when the server no longer accepts the session. */
export const onEnd = (then: Ended): void => void (tellEnded = then)

const ask = async (method: string, key?: string): Promise<Response> =>
  fetch(`${root()}/console/session`, {
    method,
    credentials: "same-origin",
    headers: { ...own(), ...(key !== undefined && { "Content-Type": "application/json" }) },
    ...(key !== undefined && { body: JSON.stringify({ key }) }),
  }).catch((cause: unknown) => {
    throw new ConnectionFailed("CONNECTION_FAILED", "The service did not answer.", cause)
  })

const read = async (response: Response): Promise<Session> => {
  const text = await response.text()
  noteTime(response.headers.get("Payport-Time"))
  if (!response.ok) throw errorOf(response.status, response.headers, text)
  const session = JSON.parse(text) as Session
  holder = holderOf(session)
  isOver = false
  if (last !== holder) forget()
  last = holder
  return session
}

/** Returns the browser's session; undefined if there is none. */
export const currentSession = async (): Promise<Session | undefined> => {
  holder = NOBODY
  const response = await ask("GET")
  return response.status === 204 || response.status === 401 ? undefined : read(response)
}

/** Starts a session. Rejects with `PayportError` for a wrong key. */
export const signIn = async (key: string): Promise<Session> => {
  holder = NOBODY
  return read(await ask("POST", key))
}

/**
 * Ends the session. Rejects if the service has not ended it: then the browser still has it. If it
 * is another holder's, the page's own session is over all the same, as after every refused act.
 */
export const signOut = async (): Promise<void> => {
  const response = await ask("DELETE")
  if (!response.ok) {
    const error = errorOf(response.status, response.headers, await response.text())
    if (isOfAnother(error.details)) end(error.message)
    throw error
  }
  forget()
}
