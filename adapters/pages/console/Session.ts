import { Option, Schema } from "effect"
import { SESSION_LIFETIME } from "../../../core/keys/ConsoleSession.ts"
import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** How long a session lasts without a request. */
export const IDLE = 30 * MINUTE

/** A session is sealed anew with its requests, but not more often than this. */
const RENEWED_EVERY = MINUTE

/** Where sessions are sealed: nothing that is sealed for another place opens as one. */
export const SESSION_PLACE = "console_session"

/** Who is signed in, as the browser's cookie holds it, sealed. Times are the machine's own. */
const Session = Schema.Struct({
  /** The API key, or an operator's key, that every request is made with. */
  key: Schema.NonEmptyString,
  /** Its record, which is gone when somebody has signed out. */
  id: Schema.NonEmptyString,
  begun_at: Schema.Int,
  seen_at: Schema.Int,
})
export type Session = typeof Session.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Session))

/** A session that begins. */
export const begun = (key: string, id: string, now: Timestamp): Session => ({
  key,
  id,
  begun_at: now,
  seen_at: now,
})

/** The text that is sealed, and what it says; undefined for text that is no session. */
export const toText = (session: Session): string => JSON.stringify(session)
export const fromText = (text: string): Session | undefined => Option.getOrUndefined(decode(text))

/** When the session ends if nothing more is asked for. */
export const endsAt = ({ begun_at, seen_at }: Session): Timestamp =>
  Math.min(begun_at + SESSION_LIFETIME, seen_at + IDLE)

/** Whether the session is over, or is from a time that has not come: a clock went back since. */
export const isOver = (session: Session, now: Timestamp): boolean =>
  now >= endsAt(session) || session.begun_at > now + MINUTE || session.seen_at > now + MINUTE

/** The session as seen now; undefined where it was seen so lately that it stays as it is. */
export const renewed = (session: Session, now: Timestamp): Session | undefined =>
  now - session.seen_at < RENEWED_EVERY ? undefined : { ...session, seen_at: now }

/**
 * The prefix has browsers refuse the cookie from an insecure page and from another host of the
 * domain, which could sign a browser in otherwise. It takes the path `/`: the interface reads keys
 * of the header `Authorization` alone, so that the cookie opens nothing but the console.
 */
const nameOf = (secure: boolean): string => `${secure ? "__Host-" : ""}payport_console`

/** Where browsers send the cookie. */
export interface CookieScope {
  /** Whether over https alone. */
  readonly secure: boolean
}

/** The scope of the console's cookie, by the public address of the service. */
export const scopeAt = (base_url: string): CookieScope => ({
  secure: base_url.startsWith("https:"),
})

const cookie = (value: string, seconds: number, { secure }: CookieScope): string =>
  `${nameOf(secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}` +
  (secure ? "; Secure" : "")

/** The `Set-Cookie` of a session. */
export const cookieOf = (
  sealed: string,
  session: Session,
  now: Timestamp,
  scope: CookieScope,
): string => cookie(sealed, Math.max(0, Math.floor((endsAt(session) - now) / SECOND)), scope)

/** The `Set-Cookie` that takes a session from the browser. */
export const endedCookie = (scope: CookieScope): string => cookie("", 0, scope)

/** The sealed session of a `Cookie` header; of several with the name none is taken. */
export const sealedIn = (
  header: string | undefined,
  { secure }: CookieScope,
): string | undefined => {
  const name = `${nameOf(secure)}=`
  const found = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(name))
  const [only] = found
  return found.length === 1 && only !== undefined && only.length > name.length
    ? only.slice(name.length)
    : undefined
}
