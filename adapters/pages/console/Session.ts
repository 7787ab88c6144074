import { Option, Schema } from "effect"
import { SESSION_LIFETIME } from "../../../core/keys/ConsoleSession.ts"
import { MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"

/** How long a session lasts without a request. */
export const IDLE = 30 * MINUTE

/** The shortest time between two renewals of a session's cookie. */
const RENEWED_EVERY = MINUTE

/** The place for which sessions are sealed: text that is sealed for another place is no session. */
export const SESSION_PLACE = "console_session"

/** A session in the browser's cookie, sealed. Times are the machine's own. */
const Session = Schema.Struct({
  /** The API key, or an operator's key, for every request. */
  key: Schema.NonEmptyString,
  /** The id of its record, which is removed by signing out. */
  id: Schema.NonEmptyString,
  begun_at: Schema.Int,
  seen_at: Schema.Int,
})
export type Session = typeof Session.Type

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Session))

/** Returns a new session. */
export const begun = (key: string, id: string, now: Timestamp): Session => ({
  key,
  id,
  begun_at: now,
  seen_at: now,
})

/** The text that is sealed, and its session; undefined for any other text. */
export const toText = (session: Session): string => JSON.stringify(session)
export const fromText = (text: string): Session | undefined => Option.getOrUndefined(decode(text))

/** Returns when the session ends without further requests. */
export const endsAt = ({ begun_at, seen_at }: Session): Timestamp =>
  Math.min(begun_at + SESSION_LIFETIME, seen_at + IDLE)

/** Whether the session has expired, or lies in the future because a clock was set back since. */
export const isOver = (session: Session, now: Timestamp): boolean =>
  now >= endsAt(session) || session.begun_at > now + MINUTE || session.seen_at > now + MINUTE

/** Returns the session as seen now; undefined if it was seen so recently that it stays. */
export const renewed = (session: Session, now: Timestamp): Session | undefined =>
  now - session.seen_at < RENEWED_EVERY ? undefined : { ...session, seen_at: now }

/**
 * With this prefix, browsers refuse the cookie from an insecure page, and from another host of the
 * domain, which could otherwise sign a browser in. It requires the path `/`. The interface reads
 * keys only from the header `Authorization`, so the cookie opens only the console.
 */
const nameOf = (secure: boolean): string => `${secure ? "__Host-" : ""}payport_console`

/** Where browsers send the cookie. */
export interface CookieScope {
  /** Whether only over https. */
  readonly secure: boolean
}

/** Returns the scope of the console's cookie, by the service's public address. */
export const scopeAt = (base_url: string): CookieScope => ({
  secure: base_url.startsWith("https:"),
})

const cookie = (value: string, seconds: number, { secure }: CookieScope): string =>
  `${nameOf(secure)}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}` +
  (secure ? "; Secure" : "")

/** Returns the `Set-Cookie` of a session. */
export const cookieOf = (
  sealed: string,
  session: Session,
  now: Timestamp,
  scope: CookieScope,
): string => cookie(sealed, Math.max(0, Math.floor((endsAt(session) - now) / SECOND)), scope)

/** Returns the `Set-Cookie` that removes a session from the browser. */
export const endedCookie = (scope: CookieScope): string => cookie("", 0, scope)

/** Returns the sealed session in a `Cookie` header; undefined if several have the name. */
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
