import { Effect, Redacted, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { HttpApiClient, type HttpApiEndpoint } from "effect/http-api"
import { Api } from "../contract/Api.ts"
import { unknownFields } from "../../../core/shared/Decode.ts"
import { type Decoder, payloadDecoder, queryDecoder, unknownPayload } from "../contract/decoders.ts"
import type { Client, ClientOptions } from "./ClientTypes.ts"
import { fromFailure, PayportError } from "./PayportError.ts"
import { type CallOptions, sessionClient } from "./sessionClient.ts"

export type { Client, ClientOptions } from "./ClientTypes.ts"
export { CreationLimitReached, PayportError } from "./PayportError.ts"

const MOST_CREATIONS = 3
/** One attempt and three more after a rejection or an expiry. */
const MOST_ONE_TIME = 4

const callOptionsOf = (options: ClientOptions): CallOptions => {
  const { rotate } = options
  return {
    apiKey: Redacted.make(options.apiKey),
    ...(rotate !== undefined && {
      rotate: Effect.tryPromise({
        try: async () => Redacted.make(await rotate()),
        catch: (cause) =>
          new PayportError({
            status: 401,
            code: "INVALID_API_KEY",
            category: "authentication_error",
            message: `No other key could be had: ${String(cause)}`,
          }),
      }),
    }),
    mostCreations: {
      intents: options.mostCreations ?? MOST_CREATIONS,
      oneTime: options.mostCreations ?? MOST_ONE_TIME,
    },
  }
}

/**
 * The typed client for programs written with effect: a method per endpoint, by group. A client
 * is one session; make a new one for the next.
 */
export const makeEffectClient = (options: ClientOptions) =>
  Effect.flatMap(HttpClient.HttpClient, (base) =>
    HttpApiClient.makeWith(Api, {
      httpClient: sessionClient(base, callOptionsOf(options)),
      baseUrl: options.baseUrl,
    }),
  )

type Query = { readonly [name: string]: string | number | boolean | undefined }

interface LooseRequest {
  readonly query?: Query
  readonly payload?: unknown
}

const decoded = (decoder: Decoder, input: unknown): Effect.Effect<unknown, PayportError> =>
  Result.match(decoder(input), {
    onFailure: (failure) => Effect.fail(fromFailure(failure)),
    onSuccess: (value) => Effect.succeed(value),
  })

const texts = (query: Query) =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )

/** Decodes a request as the service would: fills in defaults and refuses what it would refuse. */
const prepare = (endpoint: HttpApiEndpoint.Top) => {
  const readPayload = payloadDecoder(endpoint, endpoint.annotations)
  const unknownIn = unknownPayload(endpoint)
  const readQuery = queryDecoder(endpoint)?.decoder
  return Effect.fnUntraced(function* (request: LooseRequest) {
    const { payload: body = {}, query = {} } = request
    const unknown = unknownIn(body)
    const [first] = unknown
    if (first !== undefined) return yield* fromFailure(unknownFields(first, unknown))
    return {
      ...(endpoint.headers !== undefined && { headers: {} }),
      ...request,
      ...(readPayload !== undefined && { payload: yield* decoded(readPayload, body) }),
      ...(readQuery !== undefined && { query: yield* decoded(readQuery, texts(query)) }),
    }
  })
}

type Method = (request: unknown) => Effect.Effect<unknown, unknown>

/** Turns a stream of the effect client into an async iterable. */
const answered = (answer: unknown): unknown =>
  Stream.isStream(answer)
    ? Stream.toAsyncIterable(answer as Stream.Stream<unknown, unknown>)
    : answer

const methodOf = (endpoint: HttpApiEndpoint.Top, call: Method) => {
  const ready = prepare(endpoint)
  return (request: LooseRequest = {}): Promise<unknown> =>
    Effect.runPromise(Effect.map(Effect.flatMap(ready(request), call), answered))
}

/**
 * The typed client for programs without effect: a method per endpoint, by group, that returns a
 * promise and rejects with `PayportError`. Event streams are async iterables. A client is one
 * session; make a new one for the next.
 */
export const makeClient = (options: ClientOptions): Client => {
  const effectClient: object = Effect.runSync(
    Effect.provide(makeEffectClient(options), FetchHttpClient.layer),
  )
  const inner = effectClient as { readonly [group: string]: { readonly [name: string]: Method } }
  const groups = Object.entries(Api.groups).map(([groupName, group]) => {
    const endpoints = Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>
    const methods = endpoints.flatMap((endpoint) => {
      const call = inner[groupName]?.[endpoint.identifier]
      return call === undefined ? [] : [[endpoint.identifier, methodOf(endpoint, call)] as const]
    })
    return [groupName, Object.fromEntries(methods)] as const
  })
  const client: object = Object.fromEntries(groups)
  return client as Client
}
