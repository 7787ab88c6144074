import { Cause, Effect, Exit, Option, Result } from "effect"
import { CurrentDeadline, type Deadline } from "../../core/shared/CurrentDeadline.ts"
import { Failure } from "../../core/shared/Failure.ts"
import type { AddressGate } from "../shared/addresses/AddressGate.ts"
import { type Incoming, isFramed, type Outgoing } from "../shared/Exchange.ts"
import { failureOf } from "../shared/failureOf.ts"
import { type Intake, overloaded, tooLate } from "../shared/Intake.ts"
import { CallerGone, readBody } from "../shared/readBody.ts"
import { requestId } from "../shared/requestId.ts"
import { EVENT_STREAM, type Streams } from "../shared/streams/eventStreams.ts"
import { networkKey } from "../shared/addresses/networkKey.ts"
import type { FoundPage } from "./findPage.ts"
import {
  type Page,
  type PageAnswer,
  type PageEvents,
  type PageRequest,
  type Site,
  TAKEN,
} from "./Page.ts"
import { inLanguage, languageOf, localeOf } from "./shared/Language.ts"
import { refusalPage } from "./shared/refusalPage.tsx"
import { isSameOrigin } from "./shared/sameOrigin.ts"
import { SECURITY_HEADERS, USUAL_HEADERS } from "./shared/securityHeaders.ts"

/** The parts that answering pages needs. */
export interface AnswerOptions<R> {
  readonly site: Site
  readonly gate: AddressGate
  readonly intake: Intake
  readonly run: <A, E>(effect: Effect.Effect<A, E, R>) => Promise<Exit.Exit<A, E>>
  readonly isClosed: () => boolean
  /** The streams of pages, limited by the readers' networks. */
  readonly streams: Streams<R>
}

/** A request for a page, and its match. */
interface Asked<R> {
  readonly req: Incoming
  readonly res: Outgoing
  readonly path: string
  readonly found: FoundPage<R>
  readonly request_id: string
  readonly started: number
}

/** The largest form. */
const MOST_BYTES = 16 * 1024

const FORM = /^application\/x-www-form-urlencoded(?:\s*;|$)/i

const notFound = () => new Failure({ code: "NOT_FOUND", message: "There is no such page." })

const wrongOrigin = () =>
  new Failure({ code: "FORBIDDEN", message: "This form was sent from a page of another site." })

const wrongMedia = () =>
  new Failure({ code: "UNSUPPORTED_MEDIA_TYPE", message: "Send the fields of a form." })

const stopping = () =>
  new Failure({
    code: "TEMPORARILY_UNAVAILABLE",
    message: "The service is stopping. Load the page again in a second.",
    retry_after: 1,
  })

const wrongMethod = (allow: ReadonlyArray<string>) =>
  new Failure({ code: "METHOD_NOT_ALLOWED", message: `This page takes ${allow.join(", ")}.` })

const queryOf = (url: string): URLSearchParams => {
  const mark = url.indexOf("?")
  return new URLSearchParams(mark < 0 ? "" : url.slice(mark + 1))
}

/** Reads the fields of a form; none if the page reads none. */
const readForm = Effect.fnUntraced(function* <R>({ body }: Page<R>, req: Incoming) {
  if (body !== "form") return new URLSearchParams()
  if (!FORM.test(req.headers["content-type"] ?? "")) return yield* wrongMedia()
  const bytes = yield* readBody(req, MOST_BYTES)
  return new URLSearchParams(bytes.toString("utf8"))
})

/** Writes a complete answer. A `HEAD` gets no body. */
const send = <R>({ req, request_id, res }: Asked<R>, { body, headers, status }: PageAnswer) => {
  if (res.destroyed) return
  const own = { ...USUAL_HEADERS, ...headers }
  const mayHaveBody = req.method !== "GET" && req.method !== "HEAD" && !isFramed(req)
  const isSending = !req.complete && mayHaveBody
  res.writeHead(status, [
    "X-Request-Id",
    request_id,
    ...(status === 304 ? [] : ["Content-Length", String(Buffer.byteLength(body))]),
    ...SECURITY_HEADERS,
    ...Object.entries(own).flat(),
    ...(isSending ? ["Connection", "close"] : []),
  ])
  res.end(req.method === "HEAD" ? undefined : body)
}

/** Sends a record's states as they change. */
const follow = <R>(
  { req, request_id, res }: Asked<R>,
  { feed }: PageEvents<R>,
  streams: Streams<R>,
  accountId: string,
): void => {
  if (res.destroyed) return
  const common = ["X-Request-Id", request_id, "Cache-Control", "no-store", ...SECURITY_HEADERS]
  res.writeHead(200, [...common, ...EVENT_STREAM])
  if (req.method === "HEAD") {
    res.end()
    return
  }
  const seen = req.headers["last-event-id"]
  const lastEventId = typeof seen === "string" ? seen : undefined
  streams.open(res, feed, { accountId, lastEventId, onKeyEnd: () => {} })
}

/** Returns functions that run pages in turn, with a time limit, and explain failures. */
const makeTurns = <R>({ intake, run }: AnswerOptions<R>) => {
  /** Returns the page's answer within the time limit. */
  const inTime = (effect: ReturnType<Page<R>["handle"]>, deadline: Deadline) => {
    let stopWaiting = () => {}
    const late = new Promise<Exit.Exit<never, Failure>>((resolve) => {
      stopWaiting = intake.afterwards(deadline, () => resolve(Exit.fail(tooLate(false))))
    })
    const answering = run(Effect.provideService(effect, CurrentDeadline, deadline))
    return Promise.race([answering, late]).finally(stopWaiting)
  }

  const explain = async (cause: Cause.Cause<unknown>, request_id: string): Promise<Failure> => {
    const failure = failureOf(cause)
    const isMeant = failure === Option.getOrUndefined(Cause.findErrorOption(cause))
    const named = Effect.annotateLogs(Effect.logError("a page failed", cause), { request_id })
    if (!isMeant) await run(named)
    return failure
  }

  return async (request: PageRequest, page: Page<R>, asked: Asked<R>) => {
    if (!intake.admit()) {
      await new Promise<void>((resolve) => intake.refuse(resolve))
      return overloaded()
    }
    try {
      await new Promise<void>((resolve) => intake.inTurn(resolve))
      const exit = await inTime(page.handle(request), intake.deadline(asked.started))
      return Exit.isSuccess(exit) ? exit.value : await explain(exit.cause, asked.request_id)
    } finally {
      intake.leave()
    }
  }
}

/** Returns the reader's language and locale. */
const readerOf = (req: Incoming) => {
  const query = queryOf(req.url ?? "")
  const accepted = req.headers["accept-language"]
  const language = languageOf(query.get("lang"), accepted)
  return { query, language, locale: localeOf(language, accepted) }
}

/** Returns the address of a form that makes something: its page has the same path and query. */
const backFrom = <R>(
  { found, path }: Asked<R>,
  { root }: Site,
  { language, query }: ReturnType<typeof readerOf>,
): string | undefined =>
  found.type === "page" && found.page.weight !== undefined
    ? `${root}${path}${inLanguage(query, language)}`
    : undefined

/** Returns the function that answers requests for pages, within the limits. */
export const makeAnswerPages = <R>(options: AnswerOptions<R>) => {
  const { gate, isClosed, run, site, streams } = options
  const turn = makeTurns(options)

  const answer = async (asked: Asked<R>, address: string) => {
    const { found, path, req, res } = asked
    if (isClosed()) return stopping()
    const wait = gate.admitPage(address, found.type === "page" ? found.page.weight : 1)
    if (wait !== undefined) return wait
    if (found.type === "nothing") return notFound()
    if (found.type === "methods") return wrongMethod(found.allow)
    const { page, params } = found
    if (page.method !== "GET" && !isSameOrigin(req, site.base_url)) return wrongOrigin()
    const form = await run(readForm(page, req))
    if (Exit.isFailure(form)) {
      const error = Option.getOrUndefined(Cause.findErrorOption(form.cause))
      return error instanceof CallerGone ? TAKEN : failureOf(form.cause)
    }
    const method = req.method ?? "GET"
    const common = { site, method, path, params, address, req, res, ...readerOf(req) }
    return turn({ ...common, form: form.value }, page, asked)
  }

  const log = ({ found, req, request_id, started }: Asked<R>, status: number) => {
    const line = status >= 500 ? Effect.logWarning("page") : Effect.logInfo("page")
    const duration_ms = Math.round((performance.now() - started) * 100) / 100
    const route = found.type === "page" ? found.page.path : null
    const said = { request_id, method: req.method, route, status, duration_ms }
    void run(Effect.annotateLogs(line, said))
  }

  return async (req: Incoming, res: Outgoing, path: string, found: FoundPage<R>): Promise<void> => {
    const asked = { req, res, path, found, request_id: requestId(req), started: performance.now() }
    const address = gate.addressOf(req)
    let outcome = await answer(asked, address)
    if (outcome === TAKEN) return
    if ("feed" in outcome) {
      const network = networkKey(address)
      const admitted = await run(Effect.result(streams.admit(network)))
      if (Exit.isSuccess(admitted) && Result.isFailure(admitted.value)) {
        outcome = admitted.value.failure
      } else return follow(asked, outcome, streams, network)
    }
    const reader = readerOf(req)
    const allow = found.type === "methods" ? { Allow: found.allow.join(", ") } : {}
    const sent =
      outcome instanceof Failure
        ? refusalPage(site, reader.language, outcome, backFrom(asked, site, reader))
        : outcome
    send(asked, { ...sent, headers: { ...sent.headers, ...allow } })
    if (found.type !== "page" || found.page.path !== "/assets/:name") log(asked, sent.status)
  }
}
