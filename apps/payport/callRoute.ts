import { Effect, Result } from "effect"
import type { HandlerError } from "../../adapters/http/koa/Handlers.ts"
import type { Route } from "../../adapters/http/koa/Route.ts"
import { errorBody } from "../../adapters/http/contract/Errors.ts"
import type { Caller } from "../../core/accounts/Account.ts"
import { requireGroup } from "../../core/accounts/authenticate.ts"
import { isScoped } from "../../core/accounts/KeyRestrictions.ts"
import { answerOnce } from "../../core/idempotency/answerOnce.ts"
import { requireScope } from "../../core/keys/requireScope.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { Store } from "../../core/ports/Store.ts"
import type { Vault } from "../../core/ports/Vault.ts"
import { CurrentAsker } from "../../core/shared/CurrentAsker.ts"
import { unknownFields } from "../../core/shared/Decode.ts"
import { Failure, invalidField } from "../../core/shared/Failure.ts"
import { canonicalJson } from "../../core/shared/Text.ts"
import { plainInput } from "./plainInput.ts"

/** A call whose arguments the method has sorted, but not checked. */
export interface Call {
  readonly caller: Caller | null
  readonly params: ReadonlyArray<unknown>
  readonly input: unknown
  readonly idempotencyKey: unknown
  /** The media type of the response; undefined for JSON. */
  readonly accept: string | undefined
}

/** The account id under which replies to the host itself are stored. No account has this id. */
const HOST = "acct_00000000-0000-7000-8000-000000000000"

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/
const NAME = /^[^\p{Cc}\p{Cs}]{1,128}$/u

/** The names of a path's parameters. */
export const paramsOf = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => name)

const namesIn = (path: string, given: ReadonlyArray<unknown>) => {
  const params: { [name: string]: string } = {}
  for (const [n, name] of paramsOf(path).entries()) {
    const value = given[n]
    if (typeof value !== "string" || !NAME.test(value)) {
      return Result.fail(invalidField(name, "must be text of 1 to 128 characters"))
    }
    params[name] = value
  }
  return Result.succeed(params)
}

/** The values of a query under their names in a URL, as its decoders expect them. */
const asQuery = (input: object): object =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === "number" || typeof value === "boolean" ? String(value) : value,
    ]),
  )

const inputOf = <R>(route: Route<R>, given: unknown) =>
  Result.flatMap(plainInput(given ?? {}, route.limit), (input) =>
    typeof input === "object" && input !== null && !Array.isArray(input)
      ? Result.succeed(input)
      : Result.fail(invalidField("input", "must be an object")),
  )

interface Input {
  readonly query: unknown
  /** The input as given, from which the idempotency key's fingerprint is made. */
  readonly input: object
  readonly payload: unknown
}

/** Decodes the input as the route takes it: as a body or as a query. Refuses unknown fields. */
const readInput = <R>(route: Route<R>, given: unknown) =>
  Result.flatMap(inputOf(route, given), (input): Result.Result<Input, Failure> => {
    if (route.body !== "fields") {
      const unknown = Object.keys(input).find((name) => !route.queryNames.has(name))
      if (unknown !== undefined) {
        return Result.fail(invalidField(unknown.slice(0, 128), "is not a known field"))
      }
      const decoded = route.decodeQuery(asQuery(input))
      return Result.map(decoded, (query) => ({ query, input: {}, payload: undefined }))
    }
    const unknown = route.findUnknown(input)
    const [first] = unknown
    if (first !== undefined) return Result.fail(unknownFields(first, unknown))
    return Result.map(route.decodePayload(input), (payload) => ({ query: {}, input, payload }))
  })

const statusOfView = <R>({ status, statusOf: special }: Route<R>, view: unknown): number =>
  (typeof view === "object" && view !== null ? special?.(view) : undefined) ?? status

/** Reads the stored reply of an Idempotency-Key: three digits of status, then JSON. */
const readAnswer = (text: string): Result.Result<unknown, Failure> => {
  const view: unknown = JSON.parse(text.slice(3))
  if (Number(text.slice(0, 3)) < 400) return Result.succeed(view)
  const said = view as { readonly error: unknown }
  const facts = (typeof said.error === "object" ? said.error : said) as Failure
  const { code, details, field, message } = facts
  return Result.fail(
    new Failure({
      code,
      message,
      ...(field !== undefined && { field }),
      ...(details !== undefined && { details }),
    }),
  )
}

const keyOf = (given: unknown): Result.Result<string | undefined, Failure> =>
  given === undefined || (typeof given === "string" && IDEMPOTENCY_KEY.test(given))
    ? Result.succeed(given)
    : Result.fail(invalidField("idempotencyKey", "must be 1 to 255 visible ASCII characters"))

const pathOf = (path: string, params: { readonly [name: string]: string }): string =>
  path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ""))

/**
 * Calls the use case of a route like the HTTP API, but without HTTP. Restrictions of keys, decoders
 * and Idempotency-Keys are the same, so a call and a request with the same key count as one. Unlike
 * the HTTP API, it refuses unknown fields.
 */
export const callRoute = Effect.fnUntraced(function* <R>(
  route: Route<R>,
  call: Call,
): Effect.fn.Return<unknown, HandlerError, R | Ids | Store | Vault> {
  const { accept, caller } = call
  if (caller !== null) yield* requireGroup(caller, route.group)
  const params = yield* Effect.fromResult(namesIn(route.path, call.params))
  const { input, payload, query } = yield* Effect.fromResult(readInput(route, call.input))
  const key = yield* Effect.fromResult(keyOf(call.idempotencyKey))
  if (caller?.restrictions != null && isScoped(caller.restrictions) && route.scopedBy !== null) {
    const { id, ...others } = params
    const named = { ...others, [route.scopedBy]: id }
    yield* requireScope(caller, route.group, named, { ...(query as object) }, { ...input })
  }
  const headers = accept === undefined ? {} : { accept }
  const handling = route.handler({ params, query, payload, headers, caller, address: "" })
  const acting = Effect.provideService(handling, CurrentAsker, { name: caller?.account.id ?? HOST })
  if (key === undefined || route.idempotency === null) return yield* acting
  const own = caller?.restrictions == null ? "" : ` ${caller.api_key_id}`
  const { text } = yield* answerOnce(
    {
      account_id: caller?.account.id ?? HOST,
      key,
      request: `${route.method} ${pathOf(route.path, params)} ${canonicalJson(input)}${own}`,
      render: (view) => `${statusOfView(route, view)}${JSON.stringify(view)}`,
      renderFailure: (failure, status) =>
        `${status}${JSON.stringify(errorBody(failure, route.shape))}`,
      optimistic: route.idempotency === "optimistic",
    },
    acting,
  )
  return yield* Effect.fromResult(readAnswer(text))
})
