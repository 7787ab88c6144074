import { Context, type Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { FieldRules } from "../../../core/shared/Decode.ts"
import { ANY, BODY, CHANGE, KEYED, ONCE, OPERATED, type Refusal, refusals } from "./Errors.ts"
import { type Audience, Audiences, Idempotency, MayBeStale, Rules } from "./Route.ts"
import { ById } from "./Wire.ts"

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
type Fields = Schema.Struct.Fields
type Refusals = ReadonlyArray<Refusal>

/** An endpoint as it is declared; what is left out it does not have. */
interface Declaration<Params, Query, Payload, Headers, Success, Own, Body> {
  readonly summary: string
  readonly description?: string
  /** Where the path has another parameter than `:id`. */
  readonly params?: Params
  readonly query?: Query
  readonly headers?: Headers
  readonly payload?: Payload
  /** What a body may be refused for, where that is something else than usual. */
  readonly body?: Body
  /** Which codes answer for the fields of the payload. */
  readonly rules?: FieldRules
  /** For a POST that is not "checked"; "none" where it changes nothing. */
  readonly idempotency?: "optimistic" | "none"
  /** Whether it decides nothing, and may show what is some moments old. */
  readonly mayBeStale?: true
  /** Whose document it is in, where that is not its group's. */
  readonly audiences?: ReadonlyArray<Audience>
  /** What else `Route.ts` says of it. */
  readonly annotations?: Context.Context<never>
  readonly success: Success
  /** What its use case refuses. */
  readonly refusals?: Own
}

type ParamsOf<Path> = Path extends `${string}/:id${string}` ? typeof ById : never
type StructOf<F extends Fields> = [F] extends [never] ? never : Schema.Struct<F>
type ItemOf<S> = S extends ReadonlyArray<infer Item> ? Item : S

type RefusedBy<Lists extends ReadonlyArray<Refusals>> = ReturnType<typeof refusals<Lists>>[number]

/**
 * Declares endpoints of a method that all may be refused for what `access` lists, with a body for
 * {@link BODY} too. A POST takes an `Idempotency-Key`, and a path with `:id` the one parameter.
 */
const declare =
  <const M extends Method, const Access extends Refusals>(method: M, access: Access) =>
  <
    const Name extends string,
    const Path extends `/${string}`,
    const Success extends Schema.Top | ReadonlyArray<Schema.Top>,
    Params extends Fields = ParamsOf<Path>,
    Query extends Fields = never,
    Payload extends Schema.Top = never,
    Headers extends Fields = never,
    const Own extends Refusals = [],
    const Body extends Refusals = typeof BODY,
  >(
    name: Name,
    path: Path,
    declared: Declaration<Params, Query, Payload, Headers, Success, Own, Body>,
  ): HttpApiEndpoint.HttpApiEndpoint<
    Name,
    M,
    Path,
    StructOf<Params>,
    StructOf<Query>,
    Payload,
    StructOf<Headers>,
    Extract<ItemOf<Success>, Schema.Top>,
    RefusedBy<
      [
        typeof ANY,
        Access,
        [Payload] extends [never] ? [] : Body,
        M extends "POST" ? typeof ONCE : [],
        M extends "GET" ? [] : typeof CHANGE,
        Own,
      ]
    >
  > => {
    const {
      annotations = Context.empty(),
      audiences,
      body = BODY,
      description,
      headers,
      mayBeStale = false,
      payload,
      query,
      rules,
      success,
    } = declared
    const { idempotency = "checked", refusals: own = [], summary } = declared
    const params = declared.params ?? (path.includes("/:id") ? ById : undefined)
    const once = method === "POST" && idempotency !== "none"
    const changes = method === "GET" ? [] : CHANGE
    const bodied = payload === undefined ? [] : body
    const error = refusals(ANY, access, bodied, once ? ONCE : [], changes, own)
    const parts = { params, query, headers, payload, success, error }
    return HttpApiEndpoint.make<Method>(method)(name, path, {
      disableCodecs: true,
      ...(parts as {}),
    })
      .annotateMerge(OpenApi.annotations({ summary, ...(description && { description }) }))
      .annotate(Idempotency, once ? idempotency : null)
      .annotate(Rules, rules ?? {})
      .annotate(MayBeStale, mayBeStale)
      .annotateMerge(audiences === undefined ? Context.empty() : Audiences.context(audiences))
      .annotateMerge(annotations) as never
  }

const behind = <const Access extends Refusals>(access: Access) => ({
  get: declare("GET", access),
  post: declare("POST", access),
  put: declare("PUT", access),
  patch: declare("PATCH", access),
  delete: declare("DELETE", access),
})

/** Declares endpoints that an account calls with its key. */
export const account = behind(KEYED)

/** Declares endpoints that operators call. */
export const operator = behind(OPERATED)
