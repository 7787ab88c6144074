import { Cause, Effect, Exit, Option } from "effect"
import type { ReplyTaken } from "../../core/idempotency/Reply.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import { Installation } from "../../core/ports/Installation.ts"
import type { Store, StoreUnavailable } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { registerClient } from "../../core/oauth/clients.ts"
import { OauthRefusal, refused } from "../../core/oauth/OauthRefusal.ts"
import { revokeInput, tokenInput } from "../../core/oauth/TokenInput.ts"
import { redeemCode, refreshTokens, revokeToken } from "../../core/oauth/tokens.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { answerOf } from "../http/contract/Errors.ts"
import type { AddressGate } from "../shared/addresses/AddressGate.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import { failureOf } from "../shared/failureOf.ts"
import { type Intake, overloaded } from "../shared/Intake.ts"
import { OPEN_TO_PAGES, preflightHeaders } from "../shared/openToPages.ts"
import { parseJson } from "../shared/parseJson.ts"
import { type CallerGone, readBody } from "../shared/readBody.ts"
import { requestId } from "../shared/requestId.ts"
import { METADATA_PATHS, REGISTER, REVOKE, serverMetadata, TOKEN } from "./serverMetadata.ts"

type OauthPorts = Store | Vault | Ids | Installation

/** The limits of programs: those of the HTTP server. */
export interface OauthOptions {
  readonly gate: AddressGate
  readonly intake: Intake
}

/** The part of Koa's context that the middleware reads. */
interface KoaContext {
  readonly req: Incoming
  readonly res: Outgoing
  respond?: boolean | undefined
}

interface Answer {
  readonly status: number
  readonly body: object | undefined
  readonly headers?: ReadonlyArray<string>
}

/** The largest body: several times what a registration, a code or a token needs. */
const MOST_BYTES = 16 * 1_024

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i
const JSON_TYPE = /^application\/json\s*(?:;|$)/i

const send = ({ req, res }: KoaContext, { body, headers = [], status }: Answer): void => {
  const text = body === undefined ? "" : JSON.stringify(body)
  const type = text === "" ? [] : ["Content-Type", "application/json; charset=utf-8"]
  const length = ["Content-Length", String(Buffer.byteLength(text))]
  const common = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"]
  const open = Object.entries(OPEN_TO_PAGES).flat()
  const all = [...type, ...length, ...common, ...open, "X-Request-Id", requestId(req), ...headers]
  res.writeHead(status, all)
  res.end(req.method === "HEAD" ? "" : text)
}

/** Returns a refusal in OAuth's form, which has few codes. */
const explained = ({ code, message, retry_after, subject }: Failure): Answer => {
  const { status } = answerOf(code, subject)
  const error = status >= 500 || status === 429 ? "temporarily_unavailable" : "invalid_request"
  return {
    status,
    body: { error, error_description: message.replace(/[^\x20-\x7e]|["\\]/g, "'") },
    ...(retry_after !== undefined && { headers: ["Retry-After", String(Math.ceil(retry_after))] }),
  }
}

const refusedBy = ({ code, message }: OauthRefusal): Answer => ({
  status: code === "invalid_client" ? 401 : 400,
  body: { error: code, error_description: message },
})

/** Reads the fields of a form. Each may occur once (RFC 6749 section 3.2). */
const fieldsOf = (text: string) => {
  const pairs = [...new URLSearchParams(text)]
  const fields = Object.fromEntries(pairs)
  const isOnce = Object.keys(fields).length === pairs.length
  const message = "A parameter came twice."
  return isOnce ? Effect.succeed(fields) : Effect.fail(refused("invalid_request", message))
}

const bodyOf = Effect.fnUntraced(function* (req: Incoming, type: RegExp, name: string) {
  if (!type.test(req.headers["content-type"] ?? "")) {
    return yield* new Failure({ code: "UNSUPPORTED_MEDIA_TYPE", message: `Send ${name}.` })
  }
  return yield* readBody(req, MOST_BYTES)
})

const formOf = Effect.fnUntraced(function* (req: Incoming) {
  const bytes = yield* bodyOf(req, FORM, "application/x-www-form-urlencoded")
  return yield* fieldsOf(bytes.toString("utf8"))
})

const register = Effect.fnUntraced(function* (req: Incoming) {
  const bytes = yield* bodyOf(req, JSON_TYPE, "application/json")
  const input = yield* Effect.fromResult(parseJson(bytes))
  return { status: 201, body: yield* registerClient(input) } satisfies Answer
})

const giveTokens = Effect.fnUntraced(function* (req: Incoming) {
  const asked = yield* Effect.fromResult(tokenInput(yield* formOf(req)))
  const given = asked.type === "code" ? redeemCode(asked.input) : refreshTokens(asked.input)
  return { status: 200, body: yield* given } satisfies Answer
})

const revoke = Effect.fnUntraced(function* (req: Incoming) {
  yield* revokeToken(yield* Effect.fromResult(revokeInput(yield* formOf(req))))
  return { status: 200, body: undefined } satisfies Answer
})

type Flaw = Failure | OauthRefusal | CallerGone | ReplyTaken | StoreUnavailable
type Posted = (req: Incoming) => Effect.Effect<Answer, Flaw, OauthPorts>

const POSTS = new Map<string, Posted>([
  [REGISTER, register],
  [TOKEN, giveTokens],
  [REVOKE, revoke],
])

const wrongMethod = (allow: string): Answer => ({
  ...explained(new Failure({ code: "METHOD_NOT_ALLOWED", message: `This route takes ${allow}.` })),
  headers: ["Allow", allow],
})

/** Answers a browser's preflight request. */
const preflight = ({ req, res }: KoaContext, methods: ReadonlyArray<string>): void => {
  const headers = Object.entries(preflightHeaders(methods)).flat()
  res.writeHead(204, [...headers, "X-Request-Id", requestId(req)])
  res.end()
}

const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? ""

/**
 * Opens the authorization server's routes for programs: metadata, registration, tokens and their
 * revocation. People decide in the console. Requests count against their address, and wrong codes
 * and tokens like wrong keys.
 */
export const openOauth = Effect.fnUntraced(function* ({ gate, intake }: OauthOptions) {
  const run = Effect.runPromiseExitWith(yield* Effect.context<OauthPorts>())
  const { base_url } = yield* Installation
  const metadata = serverMetadata(base_url)

  const answerPost = async (req: Incoming, posted: Posted, address: string) => {
    const wait = gate.admitKey(address)
    if (wait !== undefined) return explained(wait)
    if (!intake.admit()) return explained(overloaded())
    const exit = await run(posted(req)).finally(() => intake.leave())
    if (Exit.isSuccess(exit)) return exit.value
    const error = Option.getOrUndefined(Cause.findErrorOption(exit.cause))
    if (error instanceof OauthRefusal) {
      if (error.code === "invalid_grant") gate.wrongKey(address)
      return refusedBy(error)
    }
    const failure = failureOf(exit.cause)
    if (failure.code === "INTERNAL_ERROR") {
      await run(Effect.logError("a request of a program failed", exit.cause))
    }
    return explained(failure)
  }

  return async (ctx: KoaContext, next: () => Promise<unknown>): Promise<void> => {
    const { req, res } = ctx
    const path = pathOf(req.url ?? "/")
    const isMetadata = METADATA_PATHS.includes(path)
    const posted = POSTS.get(path)
    if (!isMetadata && posted === undefined) {
      await next()
      return
    }
    ctx.respond = false
    const address = gate.addressOf(req)
    const wait = gate.admit(address)
    if (wait !== undefined) return send(ctx, explained(wait))
    if (req.method === "OPTIONS") {
      return preflight(ctx, posted === undefined ? ["GET", "HEAD"] : ["POST"])
    }
    if (posted !== undefined) {
      if (req.method !== "POST") return send(ctx, wrongMethod("POST"))
      const answer = await answerPost(req, posted, address)
      return res.destroyed ? undefined : send(ctx, answer)
    }
    if (req.method !== "GET" && req.method !== "HEAD") return send(ctx, wrongMethod("GET, HEAD"))
    send(ctx, { status: 200, body: metadata })
  }
})
