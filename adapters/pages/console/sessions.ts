import { Effect, Exit, Schema } from "effect"
import type { IncomingHttpHeaders } from "node:http"
import type { OperatorKey } from "../../../core/audit/Operator.ts"
import { SESSION_LIFETIME } from "../../../core/keys/ConsoleSession.ts"
import { beginSession, endSession, sessionGoesOn } from "../../../core/keys/consoleSessions.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { decode } from "../../../core/shared/Decode.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import type { AddressGate } from "../../shared/addresses/AddressGate.ts"
import { refuseAnother } from "./holder.ts"
import {
  begun,
  cookieOf,
  endedCookie,
  fromText,
  isOver,
  renewed,
  scopeAt,
  sealedIn,
  type Session,
  SESSION_PLACE,
  toText,
} from "./Session.ts"
import { whoHolds } from "./whoHolds.ts"

/** The options of sessions. */
export interface SessionOptions {
  readonly gate: AddressGate
  /** Returns the current keys of operators. */
  readonly operators: () => ReadonlyArray<OperatorKey>
}

/** The delay of the answer to a wrong key. */
const SLOW = "400 millis"

/** Refusals after which the key is no longer valid. They end the browser's session. */
const ENDED = new Set(["UNAUTHORIZED", "INVALID_API_KEY", "ACCOUNT_SUSPENDED"])

/** Whether a refusal ends the session. */
export const ends = ({ code }: Failure): boolean => ENDED.has(code)

const signedOut = () =>
  new Failure({
    code: "UNAUTHORIZED",
    message: "Nobody is signed in, or the session has ended. Sign in with a key.",
  })

/** A pasted key may come with white space. */
const readKey = decode(
  Schema.Struct({ key: Schema.Trim.check(Schema.isMinLength(1), Schema.isMaxLength(256)) }),
)

const bearer = (key: string): string => `Bearer ${key}`

/** Returns the scope of the console's cookie. */
export const cookieScope = Effect.map(Installation, ({ base_url }) => scopeAt(base_url))

/** Seals a session into the header that sets its cookie. */
const sealedCookie = Effect.fnUntraced(function* (
  session: Session,
  now: number,
  { gate }: SessionOptions,
) {
  const sealed = (yield* Vault).seal(SESSION_PLACE, toText(session))
  // A valid session is not refused because of wrong ones from its address.
  gate.rightKey(sealed)
  return cookieOf(sealed, session, now, yield* cookieScope)
})

/**
 * Begins a session for the holder of a key, with a new cookie, whatever the browser had.
 *
 * Fails as `authenticate` does, half a second later, with `RATE_LIMIT_EXCEEDED` after too many
 * wrong keys from the address, and with `INVALID_REQUEST` for text that is no key.
 */
export const signIn = Effect.fnUntraced(function* (
  input: unknown,
  address: string,
  options: SessionOptions,
) {
  const { key } = yield* Effect.fromResult(readKey(input))
  const { gate, operators } = options
  const refusal = gate.admitKey(address, bearer(key))
  if (refusal !== undefined) return yield* refusal
  const who = yield* whoHolds(bearer(key), operators(), address).pipe(
    Effect.tapErrorTag("Failure", () => {
      gate.wrongKey(address)
      return Effect.sleep(SLOW)
    }),
  )
  gate.rightKey(bearer(key))
  const now = yield* (yield* WallClock).now
  const session = begun(key, (yield* beginSession()).id, now)
  const cookie = yield* sealedCookie(session, now, options)
  return { who, session, cookie }
})

/** A valid session, with the header of its key, and a renewed cookie if one is due. */
export interface Held {
  readonly authorization: string
  readonly session: Session
  readonly cookie: string | undefined
}

/** Opens a sealed session, unless it has expired. */
const openSession = Effect.fnUntraced(function* (sealed: string) {
  const vault = yield* Vault
  const text = yield* Effect.option(vault.open(SESSION_PLACE, sealed))
  const session = text._tag === "Some" ? fromText(text.value) : undefined
  const now = yield* (yield* WallClock).now
  return session === undefined || isOver(session, now) ? undefined : { session, now }
})

/**
 * Finds the session in a request's cookies. Its key is checked each time, so that revoking the key
 * ends the session at once.
 *
 * Fails with `UNAUTHORIZED` without a session that we sealed, that has not expired and that nobody
 * has ended, with `FORBIDDEN` for a page that shows another holder, and as `authenticate` does.
 */
export const holdSession = Effect.fnUntraced(function* (
  headers: IncomingHttpHeaders,
  address: string,
  options: SessionOptions,
) {
  const { gate, operators } = options
  const sealed = sealedIn(headers.cookie, yield* cookieScope)
  if (sealed === undefined) return yield* gate.admit(address) ?? signedOut()
  const refusal = gate.admitKey(address, sealed)
  if (refusal !== undefined) return yield* refusal
  const opened = yield* openSession(sealed)
  if (opened === undefined) {
    gate.wrongKey(address)
    return yield* signedOut()
  }
  const { now, session } = opened
  if (!(yield* sessionGoesOn(session.id))) return yield* signedOut()
  const authorization = bearer(session.key)
  const who = yield* whoHolds(authorization, operators(), address).pipe(
    Effect.tapErrorTag("Failure", () => Effect.sync(() => gate.wrongKey(address))),
  )
  gate.rightKey(sealed)
  const refused = refuseAnother(headers, who)
  if (refused !== undefined) return yield* refused
  const next = renewed(session, now)
  const cookie = next === undefined ? undefined : yield* sealedCookie(next, now, options)
  return { who, held: { authorization, session: next ?? session, cookie } satisfies Held }
})

/**
 * Ends the session of a request's cookies, in every process and for every copy of the cookie.
 *
 * Fails with `FORBIDDEN` for a page that shows another holder: that one has not signed out. A
 * session whose key is no longer valid has no holder, and ends.
 */
export const signOut = Effect.fnUntraced(function* (
  headers: IncomingHttpHeaders,
  address: string,
  { operators }: SessionOptions,
) {
  const scope = yield* cookieScope
  const sealed = sealedIn(headers.cookie, scope)
  const opened = sealed === undefined ? undefined : yield* openSession(sealed)
  if (opened === undefined) return endedCookie(scope)
  const { id, key } = opened.session
  if (yield* sessionGoesOn(id)) {
    const who = yield* whoHolds(bearer(key), operators(), address).pipe(
      Effect.catchTag("Failure", () => Effect.undefined),
    )
    const refused = who === undefined ? undefined : refuseAnother(headers, who)
    if (refused !== undefined) return yield* refused
    yield* endSession(id)
  }
  return endedCookie(scope)
})

/**
 * Whether a session is still valid: nobody has signed out, its key is valid and its longest time is
 * not over. Long-lived streams check this repeatedly.
 */
export const isHeld = Effect.fnUntraced(function* (
  { authorization, session: { begun_at, id } }: Held,
  address: string,
  { operators }: SessionOptions,
) {
  const now = yield* (yield* WallClock).now
  if (now >= begun_at + SESSION_LIFETIME || !(yield* sessionGoesOn(id))) return false
  return Exit.isSuccess(yield* Effect.exit(whoHolds(authorization, operators(), address)))
})
