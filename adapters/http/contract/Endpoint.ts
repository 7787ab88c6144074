import { Context, type Schema } from "effect"
import { HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { FieldRules } from "../../../core/shared/Decode.ts"
import {
  ANY,
  BODY,
  CHANGE,
  KEYED,
  NO_FIELDS,
  ONCE,
  OPERATED,
  type Refusal,
  refusals,
  STALLED,
} from "./Errors.ts"
import { type Audience, Audiences, Idempotency, MayBeStale, Rules } from "./Route.ts"
import { ById } from "./Wire.ts"

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"
type Fields = Schema.Struct.Fields
type Refusals = ReadonlyArray<Refusal>

/** The declaration of an endpoint. Omitted parts do not exist. */
interface Declaration<Params, Query, Payload, Headers, Success, Own, Body> {
  readonly summary: string
  readonly description?: string
  /** The path's parameters, if they are others than `:id`. */
  readonly params?: Params
  readonly query?: Query
  readonly headers?: Headers
  readonly payload?: Payload
  /** The refusals of a body, if they are others than usual. */
  readonly body?: Body
  /** The codes of invalid fields of the payload. */
  readonly rules?: FieldRules
  /** For a POST that is not "checked"; "none" if it changes nothing. */
  readonly idempotency?: "optimistic" | "none"
  /** Whether its answer may be some moments old, because nothing is decided by it. */
  readonly mayBeStale?: true
  /** The audiences whose documents contain it, if they are others than its group's. */
  readonly audiences?: ReadonlyArray<Audience>
  /** Further annotations of `Route.ts`. */
  readonly annotations?: Context.Context<never>
  readonly success: Success
  /** The refusals of its use case. */
  readonly refusals?: Own
}

type ParamsOf<Path> = Path extends `${string}/:id${string}` ? typeof ById : never
type StructOf<F extends Fields> = [F] extends [never] ? never : Schema.Struct<F>
type ItemOf<S> = S extends ReadonlyArray<infer Item> ? Item : S

type RefusedBy<Lists extends ReadonlyArray<Refusals>> = ReturnType<typeof refusals<Lists>>[number]

/**
 * Declares endpoints of a method, with the refusals in `access`, and those in {@link BODY} if there
 * is a body, or in {@link NO_FIELDS} if a change takes none. A POST accepts an `Idempotency-Key`.
 * A path with `:id` has that one parameter.
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
        [Payload] extends [never] ? (M extends "GET" ? [] : typeof NO_FIELDS) : Body,
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
    const unread = method === "GET" ? [] : NO_FIELDS
    const bodied = payload === undefined ? unread : body
    const stalled = bodied.length === 0 ? [] : STALLED
    const error = refusals(ANY, access, bodied, stalled, once ? ONCE : [], changes, own)
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
