import { Context, Result } from "effect"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup } from "effect/http-api"
import type { RouteGroup } from "../../../core/accounts/KeyRestrictions.ts"
import type { OperatorRole } from "../../../core/audit/Operator.ts"
import type { FindUnknown } from "../../../core/shared/Decode.ts"
import type { RateClass } from "../../../core/billing/RateWindow.ts"
import { AccountKey, AdminKey } from "../contract/Access.ts"
import { type Decoder, payloadDecoder, queryDecoder, unknownPayload } from "../contract/decoders.ts"
import type { ErrorShape } from "../contract/Errors.ts"
import * as Annotation from "../contract/Route.ts"
import type { AnyHandler, Handlers } from "./Handlers.ts"

/** The body that the endpoint reads: its fields, its bytes as sent, or nothing. */
export type BodyUse = "fields" | "bytes" | "ignored" | "unread"

/** An endpoint of the contract, prepared for serving. */
export interface Route<R> {
  /** The name of its group and its own name, joined by a dot. */
  readonly name: string
  readonly method: string
  /** The path with `:name` parameters. Logs and metrics name the route by it. */
  readonly path: string
  readonly access: "account" | "admin" | "none"
  /** The role that an operator's key needs, if the access is an operator's. */
  readonly role: OperatorRole
  /** The permission that an account's key needs. */
  readonly group: RouteGroup
  /** The kind of the path's id for the scope of a key; null for a route without scope. */
  readonly scopedBy: "service_id" | "record" | null
  readonly idempotency: "checked" | "optimistic" | null
  readonly rateClass: RateClass
  readonly shape: ErrorShape
  readonly limit: number
  readonly body: BodyUse
  /** Whether a missing body counts as an empty object. */
  readonly bodyOptional: boolean
  readonly decodePayload: Decoder
  /** Finds the fields of the body that the endpoint does not know. */
  readonly findUnknown: FindUnknown
  readonly queryNames: ReadonlySet<string>
  readonly decodeQuery: Decoder
  /** The status of an answer, and the function for other statuses; null without one. */
  readonly status: number
  readonly statusOf: ((view: object) => number | undefined) | null
  readonly contentType: string
  /** The media type of a text answer. */
  readonly textType: string
  readonly streams: boolean
  readonly mayBeStale: boolean
  /** Whether it has no deadline, unlike other requests. */
  readonly unhurried: boolean
  readonly handler: AnyHandler<R>
}

const nothing: Decoder = () => Result.succeed(undefined)

const queryOf = (endpoint: HttpApiEndpoint.Top) => {
  const query = queryDecoder(endpoint)
  return {
    queryNames: new Set(query?.names ?? []),
    decodeQuery: query?.decoder ?? Result.succeed,
  }
}

const WITH_BODY = new Set(["POST", "PUT", "PATCH", "DELETE"])

const bodyOf = (endpoint: HttpApiEndpoint.Top, annotations: Context.Context<never>) => {
  const [payload] = endpoint.payload.values()
  if (payload?.encoding._tag === "Uint8Array") {
    const findUnknown: FindUnknown = () => []
    return { body: "bytes", bodyOptional: false, decodePayload: nothing, findUnknown } as const
  }
  const findUnknown = unknownPayload(endpoint)
  const decodePayload = payloadDecoder(endpoint, annotations)
  if (decodePayload === undefined) {
    const body = WITH_BODY.has(endpoint.method) ? "ignored" : "unread"
    return { body, bodyOptional: true, decodePayload: nothing, findUnknown } as const
  }
  const bodyOptional = Result.isSuccess(decodePayload({}))
  return { body: "fields", bodyOptional, decodePayload, findUnknown } as const
}

/** Returns the status of successes. An endpoint without one is a stream. */
const successOf = (
  successes: ReadonlyMap<number, unknown>,
  annotations: Context.Context<never>,
) => {
  const [first] = successes.keys()
  const statusOf = Context.get(annotations, Annotation.StatusOf)
  return { status: first ?? 200, statusOf, streams: first === undefined }
}

const groupOf = (endpoint: HttpApiEndpoint.Top, merged: Context.Context<never>): RouteGroup => {
  const reads = endpoint.method === "GET"
  const annotations = reads ? endpoint.annotations : merged
  return Context.get(annotations, Annotation.Group) ?? (reads ? "read" : "manage")
}

const scopedBy = ({ path }: HttpApiEndpoint.Top, annotations: Context.Context<never>) => {
  if (Context.get(annotations, Annotation.Unscoped)) return null
  return /\/service(?:s|-manifests)\/:id/.test(path) ? "service_id" : "record"
}

/** A listener that serves only a part of the interface. */
export type Part = "operators" | "public" | "probes" | "health"

const HEALTH = new Set(["/healthz", "/readyz"])
const METRICS = "/metrics"

/** Returns the routes of a listener that serves a part; all routes without a part. */
export const partOf = <R>(
  routes: ReadonlyArray<Route<R>>,
  part: Part | undefined,
): ReadonlyArray<Route<R>> => {
  const isOperators = ({ access, path }: Route<R>) => access === "admin" || path === METRICS
  const isHealth = ({ path }: Route<R>) => HEALTH.has(path)
  switch (part) {
    case undefined:
      return routes
    case "public":
      return routes.filter((route) => !isOperators(route))
    case "operators":
      return routes.filter((route) => isOperators(route) || isHealth(route))
    case "probes":
      return routes.filter((route) => route.path === METRICS || isHealth(route))
    case "health":
      return routes.filter(isHealth)
  }
}

/** Returns the contract's routes with their handlers. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.Constraint, R>(
  api: HttpApi.HttpApi<Id, Groups>,
  handlers: Handlers<HttpApi.HttpApi<Id, Groups>, R>,
): ReadonlyArray<Route<R>> => {
  const routes: Array<Route<R>> = []
  const groups = handlers as { readonly [group: string]: { readonly [name: string]: unknown } }
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ group, endpoint, mergedAnnotations, middleware, successes }) => {
      const keys = new Set<unknown>(middleware)
      routes.push({
        name: `${group.identifier}.${endpoint.identifier}`,
        method: endpoint.method,
        path: endpoint.path,
        access: keys.has(AccountKey) ? "account" : keys.has(AdminKey) ? "admin" : "none",
        role:
          Context.get(mergedAnnotations, Annotation.Role) ??
          (endpoint.method === "GET" ? "read" : "accounts"),
        group: groupOf(endpoint, mergedAnnotations),
        scopedBy: scopedBy(endpoint, mergedAnnotations),
        idempotency: Context.get(mergedAnnotations, Annotation.Idempotency),
        rateClass: Context.get(mergedAnnotations, Annotation.Rate),
        shape: Context.get(mergedAnnotations, Annotation.Shape),
        limit: Context.get(mergedAnnotations, Annotation.BodyLimit),
        ...bodyOf(endpoint, mergedAnnotations),
        ...queryOf(endpoint),
        ...successOf(successes, mergedAnnotations),
        contentType: Context.get(mergedAnnotations, Annotation.ContentType),
        mayBeStale: Context.get(mergedAnnotations, Annotation.MayBeStale),
        unhurried: keys.has(AdminKey) || Context.get(mergedAnnotations, Annotation.Unhurried),
        textType:
          Context.get(mergedAnnotations, Annotation.TextType) ??
          Context.get(mergedAnnotations, Annotation.ContentType),
        handler: groups[group.identifier]?.[endpoint.identifier] as AnyHandler<R>,
      })
    },
  })
  return routes
}

/** The match of a method and a path: a route, a path with other methods, or nothing. */
export type RouteMatch<R> =
  | {
      readonly type: "route"
      readonly route: Route<R>
      readonly params: { readonly [name: string]: string | undefined }
    }
  | {
      readonly type: "methods"
      readonly allow: ReadonlyArray<string>
      readonly shape: ErrorShape
    }
  | { readonly type: "nothing"; readonly shape: ErrorShape }
