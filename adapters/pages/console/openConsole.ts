import { Clock, Effect, Exit } from "effect"
import type { ServerResponse } from "node:http"
import type { Ids } from "../../../core/ports/Ids.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import type { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Vault } from "../../../core/ports/Vault.ts"
import type { WallClock } from "../../../core/ports/WallClock.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { answerOf, errorBody } from "../../http/contract/Errors.ts"
import type { Incoming } from "../../shared/Exchange.ts"
import { failureOf } from "../../shared/failureOf.ts"
import { parseJson } from "../../shared/parseJson.ts"
import { type CallerGone, readBody } from "../../shared/readBody.ts"
import { requestId } from "../../shared/requestId.ts"
import { endWithSession, LOOK_EVERY } from "./endWithSession.ts"
import { refuseForeign } from "./ownRequest.ts"
import { type CookieScope, endedCookie, endsAt, sealedIn, type Session } from "./Session.ts"
import { ends, holdSession, cookieScope, type SessionOptions, signIn, signOut } from "./sessions.ts"
import type { SignedIn } from "./whoHolds.ts"

/** The part of Koa's context that the middleware reads. */
interface KoaContext {
  readonly req: Incoming & { url?: string | undefined }
  readonly res: ServerResponse
  respond?: boolean | undefined
}

type ConsolePorts = Ids | Installation | Store | Vault | WallClock

const SESSION_PATH = "/console/session"

/** The prefix before a path of the interface. */
const API_PREFIX = "/console/api"

/** The decimals of most currencies. */
const USUAL_EXPONENT = 2

/** The largest body: a key and the name of its field. */
const MOST_BYTES = 1_024

interface Answer {
  readonly status: number
  readonly body?: object
  readonly cookie?: string | undefined
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>
}

const send = ({ req, res }: KoaContext, { body, cookie, headers = [], status }: Answer): void => {
  const text = body === undefined ? "" : JSON.stringify(body)
  res.statusCode = status
  res.setHeader("Cache-Control", "no-store")
  res.setHeader("X-Content-Type-Options", "nosniff")
  res.setHeader("Vary", "Cookie")
  res.setHeader("X-Request-Id", requestId(req))
  if (cookie !== undefined) res.setHeader("Set-Cookie", cookie)
  for (const [name, value] of headers) res.setHeader(name, value)
  if (text !== "") res.setHeader("Content-Type", "application/json; charset=utf-8")
  res.setHeader("Content-Length", Buffer.byteLength(text))
  res.end(req.method === "HEAD" ? "" : text)
}

const refusedBy = (failure: Failure, req: Incoming, scope: CookieScope): Answer => {
  const { status } = answerOf(failure.code, failure.subject)
  const id = status >= 500 ? requestId(req) : undefined
  const wait = failure.retry_after
  return {
    status,
    body: errorBody(failure, "flat", id),
    ...(ends(failure) && { cookie: endedCookie(scope) }),
    ...(wait !== undefined && { headers: [["Retry-After", String(Math.ceil(wait))]] }),
  }
}

const noRoute = () =>
  new Failure({ code: "NOT_FOUND", message: "The console only forwards requests under /v1." })

const wrongMethod = (allow: string) =>
  new Failure({ code: "METHOD_NOT_ALLOWED", message: `This route takes ${allow}.` })

/** Returns the session's facts for the page. */
const sessionView = (
  { currencies, mode }: Installation["Service"],
  who: SignedIn,
  session: Session,
) => ({
  ...who,
  mode,
  ends_at: toIso(endsAt(session)),
  /** The decimals of currencies that do not have two. */
  exponents: Object.fromEntries(
    [...currencies.values()].flatMap(({ code, exponent }) =>
      exponent === USUAL_EXPONENT ? [] : [[code, exponent]],
    ),
  ),
})

const JSON_TYPE = /^application\/json\s*(?:;|$)/i

const bodyOf = Effect.fnUntraced(function* (
  req: Incoming,
): Effect.fn.Return<unknown, Failure | CallerGone> {
  if (!JSON_TYPE.test(req.headers["content-type"] ?? "")) {
    const message = "Send the key as application/json."
    return yield* new Failure({ code: "UNSUPPORTED_MEDIA_TYPE", message })
  }
  return yield* Effect.fromResult(parseJson(yield* readBody(req, MOST_BYTES)))
})

/** Answers requests about the session itself: begin, show, end. */
const answerSession = Effect.fnUntraced(function* (
  req: Incoming,
  address: string,
  options: SessionOptions,
): Effect.fn.Return<Answer, Failure | CallerGone | StoreUnavailable, ConsolePorts> {
  const installation = yield* Installation
  const scope = yield* cookieScope
  switch (req.method) {
    case "POST": {
      const { cookie, session, who } = yield* signIn(yield* bodyOf(req), address, options)
      return { status: 201, cookie, body: sessionView(installation, who, session) }
    }
    case "DELETE":
      return { status: 204, cookie: yield* signOut(req.headers, address, options) }
    case "GET":
    case "HEAD": {
      // A first visit is not refused.
      if (sealedIn(req.headers.cookie, scope) === undefined) return { status: 204 }
      const { held, who } = yield* holdSession(req.headers, address, options)
      const body = sessionView(installation, who, held.session)
      return { status: 200, cookie: held.cookie, body }
    }
    default:
      return yield* wrongMethod("GET, POST, DELETE")
  }
})

const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? ""

/**
 * Turns a request to the console into one to the interface: under its path and with the session's
 * key. The interface sees no cookie, and no cache keeps the answer.
 */
const passOn = ({ req, res }: KoaContext, authorization: string, cookie: string | undefined) => {
  const { headers } = req
  req.url = (req.url ?? "").replace(/^https?:\/\/[^/?#]*/i, "").slice(API_PREFIX.length)
  delete headers.cookie
  headers.authorization = authorization
  res.setHeader("Vary", "Cookie")
  if (cookie !== undefined) res.setHeader("Set-Cookie", cookie)
}

/**
 * Opens the console's sessions, and its proxy to the interface: `/console/api/v1/…` is `/v1/…` with
 * the session's key, so that the page holds no key. This middleware must come before the interface.
 * Every `lookEvery` milliseconds an open stream checks its session, and ends with it.
 */
export const openConsole = Effect.fnUntraced(function* (
  options: SessionOptions,
  lookEvery: number = LOOK_EVERY,
) {
  const run = Effect.runPromiseExitWith(yield* Effect.context<ConsolePorts>())
  const { base_url } = yield* Installation
  const scope = yield* cookieScope

  const refuse = (ctx: KoaContext, exit: Exit.Failure<unknown, unknown>) => {
    if (ctx.req.destroyed && !ctx.req.complete) return void ctx.res.destroy()
    const failure = failureOf(exit.cause)
    if (failure.code === "INTERNAL_ERROR") {
      void run(Effect.logError("a request of the console failed", exit.cause))
    }
    send(ctx, refusedBy(failure, ctx.req, scope))
  }

  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const { req } = ctx
    const path = pathOf(req.url ?? "/")
    const isApi = path.startsWith(`${API_PREFIX}/`)
    if (!isApi && path !== SESSION_PATH) {
      await next()
      return
    }
    // A sandbox's clock can be moved, so the page asks for the service's days, not the browser's.
    const now = await run(Clock.currentTimeMillis)
    if (Exit.isSuccess(now)) ctx.res.setHeader("Payport-Time", toIso(now.value))
    const address = options.gate.addressOf(req)
    const isNothing = isApi && !path.startsWith(`${API_PREFIX}/v1/`)
    const foreign = isNothing ? noRoute() : refuseForeign(req.method ?? "", req.headers, base_url)
    // Requests under a session count by their key, where the session is looked up.
    const counts = !isApi || foreign !== undefined
    const refusal = (counts ? options.gate.admit(address) : undefined) ?? foreign
    const asked = refusal === undefined ? Effect.void : Effect.fail(refusal)
    if (!isApi) {
      ctx.respond = false
      const exit = await run(Effect.andThen(asked, answerSession(req, address, options)))
      if (Exit.isFailure(exit)) return refuse(ctx, exit)
      return send(ctx, exit.value)
    }
    const exit = await run(Effect.andThen(asked, holdSession(req.headers, address, options)))
    if (Exit.isFailure(exit)) {
      ctx.respond = false
      return refuse(ctx, exit)
    }
    const { held } = exit.value
    passOn(ctx, held.authorization, held.cookie)
    const end = () => void ctx.res.destroy()
    await run(endWithSession(ctx.res, end, { address, every: lookEvery, held }, options))
    await next()
  }
})
