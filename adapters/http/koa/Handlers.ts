import type { Effect } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import type { Caller } from "../../../core/accounts/Account.ts"
import type { ReplyTaken } from "../../../core/idempotency/Reply.ts"
import type { StoreUnavailable } from "../../../core/ports/Store.ts"
import type { Failure, FailureCode } from "../../../core/shared/Failure.ts"
import type { AccountKey } from "../contract/Access.ts"
import type { Declares } from "../contract/Errors.ts"
import type { HandlerResponse } from "./HandlerResponse.ts"
import type { EventFeed } from "../../shared/streams/EventFeed.ts"

/** The errors of a handler; anything else is a defect. */
export type HandlerError<Code extends FailureCode = FailureCode> =
  | Failure<Code>
  | StoreUnavailable
  | ReplyTaken

/** The codes that an endpoint declares. `useCase` selects those of its use case. */
export type Declared<E extends HttpApiEndpoint.Constraint, Which extends "codes" | "useCase"> = [
  E["~Error"],
] extends [never]
  ? never
  : E["~Error"] extends Declares<infer Codes, infer UseCase>
    ? Extract<{ codes: Codes; useCase: UseCase }[Which], FailureCode>
    : never

type Part<Name extends string, S> = [S] extends [never]
  ? unknown
  : S extends { readonly Type: infer T }
    ? { readonly [K in Name]: T }
    : never

/** The part of every request: the address of the other end of the connection. */
interface AnyRequest {
  readonly address: string
}

/** A handler's argument: the request's decoded parts, and the caller where a key is required. */
export type RequestOf<E extends HttpApiEndpoint.ConstraintRequest> = Part<"params", E["~Params"]> &
  Part<"query", E["~Query"]> &
  Part<"payload", E["~Payload"]> &
  Part<"headers", E["~Headers"]> &
  AnyRequest &
  ([AccountKey] extends [E["~Middleware"]] ? { readonly caller: Caller } : unknown)

type AnswerOf<E extends HttpApiEndpoint.ConstraintRequest, R> =
  E["~Success"] extends HttpApiSchema.StreamSse<infer Events, infer _Error, infer _Value>
    ? EventFeed<Events["Type"], HandlerError<Declared<E, "codes">>, R>
    : E["~Success"]["Type"]

/** Serves one endpoint: decoded request in, the response's body or a declared refusal out. */
export type Handler<E extends HttpApiEndpoint.ConstraintRequest, R> = (
  request: RequestOf<E>,
) => Effect.Effect<AnswerOf<E, R> | HandlerResponse, HandlerError<Declared<E, "codes">>, R>

/** A handler for every endpoint of a group. A missing one does not compile. */
export type GroupHandlers<G extends HttpApiGroup.Constraint, R> = {
  readonly [
    E in Extract<HttpApiGroup.Endpoints<G>, HttpApiEndpoint.ConstraintRequest> as E["identifier"]
  ]: Handler<E, R>
}

/** The handlers of a whole interface. */
export type Handlers<Api, R> =
  Api extends HttpApi.HttpApi<infer _Id, infer Groups>
    ? { readonly [G in Groups as HttpApiGroup.Identifier<G>]: GroupHandlers<G, R> }
    : never

type GivenBy<H> = H extends (request: never) => Effect.Effect<infer _A, infer Error, infer _R>
  ? Error extends Failure<infer Code>
    ? Code
    : never
  : never

type NeverGives<
  E extends HttpApiEndpoint.Constraint,
  Given,
> = `${E["identifier"]} never gives ${Exclude<Declared<E, "useCase">, Given>}`

type ImpossibleIn<G extends HttpApiGroup.Constraint, Group> = {
  [
    E in Extract<HttpApiGroup.Endpoints<G>, HttpApiEndpoint.ConstraintRequest> as E["identifier"]
  ]: NeverGives<E, GivenBy<Group[E["identifier"] & keyof Group]>>
}

/** Names every declared code that no handler can give. `never` if there is none. */
export type Impossible<Api, All> =
  Api extends HttpApi.HttpApi<infer _Id, infer Groups>
    ? {
        [G in Groups as HttpApiGroup.Identifier<G>]: ImpossibleIn<
          G,
          All[HttpApiGroup.Identifier<G> & keyof All]
        >[keyof GroupHandlers<G, never>]
      }[HttpApiGroup.Identifier<Groups>]
    : never

/** A handler as the router calls it, without the contract's types. */
export type AnyHandler<R> = (request: {
  readonly params: { readonly [name: string]: string | undefined }
  readonly query: unknown
  readonly payload: unknown
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly caller: Caller | null
  readonly address: string
}) => Effect.Effect<unknown, HandlerError, R>
