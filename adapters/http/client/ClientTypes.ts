import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type { Api } from "../contract/Api.ts"

/** The options of a client. */
export interface ClientOptions {
  /** Such as `http://127.0.0.1:4020`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Fetches another key after a 401; the request is then repeated once. */
  readonly rotate?: () => Promise<string>
  /** The most payments that this session creates; three without it (Limits). */
  readonly mostCreations?: number
}

type Part<Name extends string, S, Value> = [S] extends [never]
  ? unknown
  : { readonly [K in Name]: Value }

type OptionalPart<Name extends string, S, Value> = [S] extends [never]
  ? unknown
  : object extends Value
    ? { readonly [K in Name]?: Value }
    : { readonly [K in Name]: Value }

type Encoded<S> = S extends { readonly Encoded: infer A } ? A : never
type Decoded<S> = S extends { readonly Type: infer A } ? A : never

/** Numbers may be given where a query string holds their digits. */
type Query<S> = {
  readonly [K in keyof Encoded<S>]?: Encoded<S>[K] | (K extends "limit" | "offset" ? number : never)
}

type RequestOf<E extends HttpApiEndpoint.ConstraintRequest> = Part<
  "params",
  E["~Params"],
  Decoded<E["~Params"]>
> &
  OptionalPart<"query", E["~Query"], Query<E["~Query"]>> &
  OptionalPart<"payload", E["~Payload"], Encoded<E["~Payload"]>> &
  OptionalPart<"headers", E["~Headers"], Encoded<E["~Headers"]>>

type AnswerOf<E extends HttpApiEndpoint.ConstraintRequest> =
  E["~Success"] extends HttpApiSchema.StreamSse<infer Events, infer _Error, infer _Value>
    ? AsyncIterable<Events["Type"]>
    : E["~Success"]["Type"]

type MethodOf<E extends HttpApiEndpoint.ConstraintRequest> =
  object extends RequestOf<E>
    ? (request?: RequestOf<E>) => Promise<AnswerOf<E>>
    : (request: RequestOf<E>) => Promise<AnswerOf<E>>

type GroupOf<G extends HttpApiGroup.Constraint> = {
  readonly [
    E in Extract<HttpApiGroup.Endpoints<G>, HttpApiEndpoint.ConstraintRequest> as E["identifier"]
  ]: MethodOf<E>
}

/** A method per endpoint, by group; each returns a promise. */
export type Client =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups>
    ? { readonly [G in Groups as HttpApiGroup.Identifier<G>]: GroupOf<G> }
    : never
