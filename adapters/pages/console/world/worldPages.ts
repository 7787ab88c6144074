import { Effect, Exit } from "effect"
import type { Ids } from "../../../../core/ports/Ids.ts"
import type { Installation } from "../../../../core/ports/Installation.ts"
import type { Store } from "../../../../core/ports/Store.ts"
import type { Vault } from "../../../../core/ports/Vault.ts"
import type { WallClock } from "../../../../core/ports/WallClock.ts"
import { Failure } from "../../../../core/shared/Failure.ts"
import { answerOf, errorBody } from "../../../http/contract/Errors.ts"
import { failureOf } from "../../../shared/failureOf.ts"
import { parseJson } from "../../../shared/parseJson.ts"
import { type CallerGone, readBody } from "../../../shared/readBody.ts"
import { requestId } from "../../../shared/requestId.ts"
import { type Page, type PageAnswer, type PageRequest, TAKEN } from "../../Page.ts"
import { endWithSession, LOOK_EVERY } from "../endWithSession.ts"
import { holderOf } from "../holder.ts"
import { refuseForeign } from "../ownRequest.ts"
import { type CookieScope, endedCookie } from "../Session.ts"
import { cookieScope, ends, type Held, holdSession, type SessionOptions } from "../sessions.ts"
import type { SignedIn } from "../whoHolds.ts"
import type { LiveWorlds } from "./LiveWorlds.ts"
import { openWorldStream } from "./worldStream.ts"

/** The ports of the pages of worlds: those of a session. */
export type WorldPorts = Ids | Installation | Store | Vault | WallClock

/** The largest wish or command. */
const MOST_BYTES = 4_096

/** Worlds need much of the machine, so a key must have the permission to manage. */
const mayPlay = (who: SignedIn): boolean =>
  who.role === "operator" || who.restrictions?.routes?.includes("manage") !== false

/** The most windows in which one owner watches a world. Each gets all messages. */
const MOST_WATCHING = 10

const tooManyWindows = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "Too many windows watch this world. Close some.",
    retry_after: 5,
  })

const notAllowed = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "This key may not play worlds: it is restricted to routes other than manage.",
  })

const json = (status: number, body: object): PageAnswer => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
})

const NOTHING: PageAnswer = { status: 204, headers: {}, body: "" }

/** A request with its owner, the world's id, and the session. */
interface Asked extends PageRequest {
  readonly owner: string
  readonly id: string
  readonly held: Held
}

type Answered = Effect.Effect<PageAnswer | typeof TAKEN, Failure | CallerGone, WorldPorts>

const bodyOf = Effect.fnUntraced(function* ({ req }: PageRequest) {
  const bytes = yield* readBody(req, MOST_BYTES)
  return yield* Effect.fromResult(parseJson(bytes))
})

const refusedBy = (failure: Failure, { req }: PageRequest, scope: CookieScope): PageAnswer => {
  const { status } = answerOf(failure.code, failure.subject)
  const answer = json(
    status,
    errorBody(failure, "flat", status >= 500 ? requestId(req) : undefined),
  )
  const wait = failure.retry_after
  return {
    ...answer,
    headers: {
      ...answer.headers,
      ...(ends(failure) && { "Set-Cookie": endedCookie(scope) }),
      ...(wait !== undefined && { "Retry-After": String(Math.ceil(wait)) }),
    },
  }
}

/** Counts the open windows of each owner, and tells whether one more may open. */
const makeWindows = () => {
  const open = new Map<string, number>()
  const count = (owner: string, change: 1 | -1) => {
    const left = (open.get(owner) ?? 0) + change
    if (left === 0) open.delete(owner)
    else open.set(owner, left)
  }
  return (owner: string, res: Asked["res"]): boolean => {
    if ((open.get(owner) ?? 0) >= MOST_WATCHING) return false
    count(owner, 1)
    res.once("close", () => count(owner, -1))
    return true
  }
}

/** Returns the owner of the request's session. */
const askedBy = Effect.fnUntraced(function* (request: PageRequest, options: SessionOptions) {
  const { address, method, req, site } = request
  const foreign = refuseForeign(method, req.headers, site.base_url)
  if (foreign !== undefined) return yield* foreign
  const { held, who } = yield* holdSession(req.headers, address, options)
  if (!mayPlay(who)) return yield* notAllowed()
  const id = request.params["id"] ?? ""
  return { ...request, owner: holderOf(who), id, held } satisfies Asked
})

/**
 * The requests of the page of simulated worlds, within the console's sessions. A world belongs to
 * the owner of its session. It lives in one process, which must get all its requests. Every
 * `lookEvery` milliseconds an open stream checks its session, and ends with it.
 */
export const worldPages = (
  options: SessionOptions,
  worlds: LiveWorlds,
  lookEvery = LOOK_EVERY,
): ReadonlyArray<Page<WorldPorts>> => {
  const page = (
    method: "GET" | "POST" | "DELETE",
    path: string,
    answer: (asked: Asked) => Answered,
  ): Page<WorldPorts> => ({
    method,
    path: `/console/worlds${path}`,
    body: "unread",
    handle: Effect.fnUntraced(function* (request) {
      const scope = yield* cookieScope
      const exit = yield* Effect.exit(
        Effect.gen(function* () {
          const asked = yield* askedBy(request, options)
          const answered = yield* answer(asked)
          const { cookie } = asked.held
          if (answered === TAKEN || cookie === undefined) return answered
          return { ...answered, headers: { ...answered.headers, "Set-Cookie": cookie } }
        }),
      )
      if (request.req.destroyed && !request.req.complete) return TAKEN
      return Exit.isSuccess(exit) ? exit.value : refusedBy(failureOf(exit.cause), request, scope)
    }),
  })
  const opensWindow = makeWindows()
  const stream = ({ address, held, id, owner, res }: Asked): Answered =>
    Effect.gen(function* (): Effect.fn.Return<typeof TAKEN, Failure, WorldPorts> {
      // An unknown world is refused before the stream begins.
      yield* worlds.find(owner, id)
      if (res.destroyed) return TAKEN
      if (!opensWindow(owner, res)) return yield* tooManyWindows()
      const { cookie } = held
      const headers = cookie === undefined ? [] : ["Set-Cookie", cookie]
      const watcher = openWorldStream(res, headers)
      const stop = yield* worlds.watch(owner, id, watcher)
      const end = () => watcher.ended("signed_out")
      yield* endWithSession(res, end, { address, every: lookEvery, held }, options)
      if (res.destroyed) stop()
      else res.once("close", stop)
      return TAKEN
    })
  return [
    page("GET", "", ({ owner }) => Effect.map(worlds.offer(owner), (offer) => json(200, offer))),
    page("POST", "", (asked) =>
      Effect.gen(function* () {
        const wish = yield* bodyOf(asked)
        return json(201, yield* worlds.begin(asked.owner, wish))
      }),
    ),
    page("DELETE", "/:id", ({ id, owner }) => Effect.as(worlds.end(owner, id), NOTHING)),
    page("POST", "/:id/commands", (asked) =>
      Effect.gen(function* () {
        const command = yield* bodyOf(asked)
        yield* worlds.command(asked.owner, asked.id, command)
        return NOTHING
      }),
    ),
    page("GET", "/:id/stream", stream),
    page("GET", "/:id/payments/:payment", ({ id, owner, params }) =>
      Effect.map(worlds.story(owner, id, params["payment"] ?? ""), (story) => json(200, story)),
    ),
    page("GET", "/:id/file", ({ id, owner }) =>
      Effect.map(worlds.file(owner, id), (text) => ({ ...json(200, {}), body: text })),
    ),
  ]
}
