import type { Effect } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { AccountKey } from "../../adapters/http/contract/Access.ts"
import type { CoreApi, SandboxApi } from "../../adapters/http/contract/Api.ts"
import type { Declared } from "../../adapters/http/koa/Handlers.ts"
import type { Failure } from "../../core/shared/Failure.ts"
import type { Caller } from "./Caller.ts"

type GroupsOf<Api> = Api extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never

type Endpoints = {
  [G in GroupsOf<typeof SandboxApi> as HttpApiGroup.Identifier<G>]: {
    [
      E in Extract<HttpApiGroup.Endpoints<G>, HttpApiEndpoint.ConstraintRequest> as E["identifier"]
    ]: E
  }
}

type NameIn<Groups extends string> = {
  [G in Groups & keyof Endpoints]: `${G}.${keyof Endpoints[G] & string}`
}[Groups & keyof Endpoints]

/** A use case of every payport: its group of the contract and its name in the group. */
export type RouteName = NameIn<HttpApiGroup.Identifier<GroupsOf<typeof CoreApi>>>

/** A use case that only sandboxes have. */
export type SandboxRouteName = NameIn<"sandbox">

type EndpointOf<Name> = Name extends `${infer G extends keyof Endpoints}.${infer E}`
  ? Endpoints[G][E & keyof Endpoints[G]]
  : never

/** The options that every call accepts as its last argument. */
export interface CallOptions {
  /** Stops waiting. The call may still take effect: repeat it with its `idempotencyKey`. */
  readonly signal?: AbortSignal | undefined
  /** 1 to 255 visible ASCII characters. Calls with the same key take effect once. */
  readonly idempotencyKey?: string | undefined
}

type Params<Path> = Path extends `${string}:${string}/${infer Rest}`
  ? [id: string, ...Params<`/${Rest}`>]
  : Path extends `${string}:${string}`
    ? [id: string]
    : []

type QueryInput<S> = S extends { readonly Encoded: infer Encoded; readonly Type: infer Type }
  ? { readonly [K in keyof Encoded]: K extends keyof Type ? Type[K] : never }
  : never

type PayloadInput<S> = S extends { readonly Encoded: infer Encoded } ? Encoded : never

type Input<I> = [I] extends [never]
  ? []
  : [keyof I] extends [never]
    ? []
    : {} extends I
      ? [input?: I]
      : [input: I]

type InputOf<E extends HttpApiEndpoint.ConstraintRequest> = [E["~Payload"]] extends [never]
  ? Input<QueryInput<E["~Query"]>>
  : Input<PayloadInput<E["~Payload"]>>

type CallerOf<E extends HttpApiEndpoint.ConstraintRequest> = [AccountKey] extends [E["~Middleware"]]
  ? [caller: Caller]
  : []

type PathOf<E> = E extends { readonly path: infer Path } ? Path : never

/** The arguments of a method, in this order. */
export type Arguments<Name> =
  EndpointOf<Name> extends infer E extends HttpApiEndpoint.ConstraintRequest
    ? [...CallerOf<E>, ...Params<PathOf<E>>, ...InputOf<E>, options?: CallOptions]
    : never

type ViewOf<E> = E extends { readonly "~Success": { readonly Type: infer View } } ? View : never

/** The result of a method: JSON unless another media type is named. */
export type Result<Called> = Called extends readonly [string, "image/png"]
  ? Uint8Array
  : Called extends readonly [string, string]
    ? string
    : Exclude<ViewOf<EndpointOf<Called>>, string | Uint8Array>

type NameOf<Called> = Called extends readonly [infer Name, string] ? Name : Called

type CodesOf<Name> =
  EndpointOf<Name> extends infer E extends HttpApiEndpoint.ConstraintRequest
    ? Declared<E, "codes">
    : never

/** The methods of a table as Effects, with the codes that each may fail with. */
export type Effects<Table> = {
  readonly [Resource in keyof Table]: {
    readonly [Method in keyof Table[Resource]]: (
      ...args: Arguments<NameOf<Table[Resource][Method]>>
    ) => Effect.Effect<
      Result<Table[Resource][Method]>,
      Failure<CodesOf<NameOf<Table[Resource][Method]>>>
    >
  }
}

/** The methods of a table as functions that return promises. */
export type Resources<Table> = {
  readonly [Resource in keyof Table]: {
    readonly [Method in keyof Table[Resource]]: (
      ...args: Arguments<NameOf<Table[Resource][Method]>>
    ) => Promise<Result<Table[Resource][Method]>>
  }
}
