import { Context, Result, Schema } from "effect"
import { HttpApi } from "effect/http-api"
import { Api } from "../../../adapters/http/contract/Api.ts"
import {
  answerOf,
  CODES,
  ErrorBody,
  NestedErrorBody,
} from "../../../adapters/http/contract/Errors.ts"
import { Shape } from "../../../adapters/http/contract/Route.ts"
import type { FailureCode } from "../../../core/shared/Failure.ts"
import type { HttpReply, HttpRequest } from "./HttpConnection.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import type { Auditor } from "../../../simulator/auditor/Auditor.ts"

type Read = (body: unknown) => Result.Result<unknown, { readonly message: string }>

/** One route, as the interface describes it. */
interface Described {
  readonly path: string
  readonly pattern: RegExp
  readonly method: string
  /** The decoders of its responses, by status. */
  readonly answers: ReadonlyMap<number, ReadonlyArray<Read>>
  /** The statuses of its errors. */
  readonly refusals: ReadonlySet<number>
  readonly nested: boolean
}

const reader = (schema: Schema.Top): Read =>
  Schema.decodeUnknownResult(schema as Schema.Top & { readonly DecodingServices: never })

const describeAll = (): ReadonlyArray<Described> => {
  const routes: Array<Described> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, errors, mergedAnnotations, successes }) => {
      const { method, path } = endpoint
      routes.push({
        path,
        pattern: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
        method,
        answers: new Map(
          [...successes].map(([status, schemas]) => [status, schemas.map(reader)] as const),
        ),
        refusals: new Set(errors.keys()),
        nested: Context.get(mergedAnnotations, Shape) === "nested",
      })
    },
  })
  // Routes with fewer parameters come first, so that a name is not taken for an id.
  return routes.toSorted((a, b) => a.path.split(":").length - b.path.split(":").length)
}

const ROUTES = describeAll()

const describedFor = (method: string, path: string) => {
  const [bare = ""] = path.split("?")
  return ROUTES.find((route) => route.method === method && route.pattern.test(bare))
}

const tried = (read: Read, body: unknown): string | undefined => {
  const result = read(body)
  return Result.isFailure(result) ? result.failure.message.split("\n").join(" ") : undefined
}

/** Returns how a successful response deviates from the description; undefined if it does not. */
const flawOfAnswer = (method: string, path: string, reply: HttpReply): string | undefined => {
  const route = describedFor(method, path)
  if (route === undefined) return "is on no route that is described"
  const flaws = route.answers.get(reply.status)?.map((read) => tried(read, reply.json))
  if (flaws === undefined) return `${reply.status} is no status of this route's answers`
  return flaws.includes(undefined) ? undefined : `${flaws[0]}`
}

const readers = { flat: reader(ErrorBody), nested: reader(NestedErrorBody) }

/** Returns the code of an error, in either form; undefined if there is none. */
export const codeOf = ({ json }: HttpReply): string | undefined => {
  const flat = (json ?? {}) as { readonly code?: unknown; readonly error?: unknown }
  const nested = (typeof flat.error === "object" ? flat.error : undefined) as
    | { readonly code?: unknown }
    | undefined
  const code = nested?.code ?? flat.code
  return typeof code === "string" ? code : undefined
}

const isKnown = (code: string | undefined): code is FailureCode =>
  CODES.some((known) => known === code)

/** Returns how an error deviates from the description of errors. */
const flawOfRefusal = (method: string, path: string, reply: HttpReply): string | undefined => {
  const route = describedFor(method, path)
  const code = codeOf(reply)
  if (!isKnown(code)) return `${reply.status} with the code ${code}, which no error has`
  const nested = route?.nested ?? false
  const flaw = tried(nested ? readers.nested : readers.flat, reply.json)
  if (flaw !== undefined) return `${code} in another shape than this route's errors: ${flaw}`
  const due = [answerOf(code), answerOf(code, "payment_intent")].map(({ status }) => status)
  if (!due.includes(reply.status)) return `${code} with ${reply.status}, not ${due[0]}`
  return route === undefined || route.refusals.has(reply.status)
    ? undefined
    : `${code} with ${reply.status}, which this route does not name`
}

const ID = /\/(?:[a-z]+_)?[0-9a-f]{8}-[0-9a-f-]{27}/g

/** Returns a request's route: its method, and its path without query and ids. */
export const routeOf = ({ method, path }: Pick<HttpRequest, "method" | "path">): string =>
  `${method} ${path.replace(/\?.*/, "").replaceAll(ID, "/{id}")}`

/** Returns how long an error asks to wait, in milliseconds; 0 if it does not ask. */
export const waitOf = ({ headers }: HttpReply): number => {
  const seconds = Number(headers["retry-after"])
  return Number.isFinite(seconds) ? seconds * SECOND : 0
}

/** The code for an invalid response, with which a caller cannot continue. */
const UNDESCRIBED = "NOT_AS_DESCRIBED"

/**
 * Checks a response against the description of the interface. Returns the code of an error;
 * undefined for a success that fits the description.
 */
export const judgeReply = (
  auditor: Auditor,
  method: HttpRequest["method"],
  path: string,
  reply: HttpReply,
): string | undefined => {
  const where = routeOf({ method, path })
  const code = codeOf(reply)
  const isUnforeseen = reply.status === 500 || (reply.status >= 400 && code === undefined)
  const flaw = isUnforeseen ? `${reply.status} ${code ?? reply.text.slice(0, 200)}` : undefined
  auditor.see("ending", where, { where, flaw })
  if (reply.status < 400) {
    const unlike = flawOfAnswer(method, path, reply)
    auditor.see("shape", where, { where, flaw: unlike })
    return unlike === undefined ? undefined : UNDESCRIBED
  }
  auditor.see("refusal", where, { where, flaw: flawOfRefusal(method, path, reply) })
  return code ?? "NO_CODE"
}
