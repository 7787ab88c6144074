import { Context } from "effect"
import { HttpApi, type HttpApiGroup, OpenApi } from "effect/http-api"
import { CallbackBody } from "./contract/channelCallbacks.ts"
import { ErrorBody, type ErrorShape, NestedErrorBody } from "./contract/Errors.ts"
import * as Annotation from "./contract/Route.ts"
import type { Document } from "./openapi/Document.ts"
import { partFor } from "./openapi/partFor.ts"
import {
  HEADERS,
  headerRef,
  INTEGERS,
  type Json,
  parameterRef,
  PARAMETERS,
} from "./openapi/parts.ts"
import { componentName, plain } from "./openapi/plain.ts"
import { WEBHOOK_PATH, webhooks } from "./contract/webhooks.ts"

type Spec = OpenApi.OpenAPISpec
type Operation = OpenApi.OpenAPISpecOperation
type Parameter = OpenApi.OpenAPISpecParameter

/** Statuses whose answers may have a `Retry-After`. */
const RETRIED = new Set(["409", "429", "503"])

const headersOf = (status: string, once: boolean): { readonly [name: string]: object } => ({
  "X-Request-Id": headerRef("RequestId"),
  ...(RETRIED.has(status) && { "Retry-After": headerRef("RetryAfter") }),
  ...(status === "401" && { "WWW-Authenticate": headerRef("Challenge") }),
  ...(once && { "Idempotency-Key": headerRef("IdempotencyKey") }),
  ...(once && !status.startsWith("5") && { "Idempotent-Replayed": headerRef("Replayed") }),
})

/** Returns an error response that narrows the code to those in its description. */
const errorContent = (codes: string, shape: ErrorShape): object => {
  const properties = { code: { enum: codes.split(", ") } }
  const schema =
    shape === "flat"
      ? { $ref: "#/components/schemas/Error", properties }
      : { $ref: "#/components/schemas/NestedError", properties: { error: { properties } } }
  return { "application/json": { schema } }
}

/** Whether a response is a refusal. A 402 that demands a payment has its own body. */
const isRefusal = (status: string, { content }: OpenApi.OpenApiSpecResponse): boolean => {
  const named = content?.["application/json"]?.schema?.["$ref"]
  return Number(status) >= 400 && /\/Error(?:_\d+)?$/.test(String(named))
}

/** Whether the body of an operation is read as JSON, also if there are no fields to send. */
const takesFields = ({ requestBody, responses }: Operation): boolean =>
  requestBody === undefined
    ? "415" in responses
    : requestBody.content["application/json"] !== undefined

/** The annotations of an operation. */
interface Annotated {
  /** The audiences whose documents contain it. */
  readonly audiences: ReadonlyArray<Annotation.Audience>
  /** Whether it takes an Idempotency-Key. */
  readonly once: boolean
  readonly shape: ErrorShape
  /** Whether its answer tells its age. */
  readonly mayBeStale: boolean
}

/** Returns a parameter with its description, which effect keeps in the schema. */
const clean = (parameter: Parameter): Parameter => {
  const integer = parameter.in === "query" ? INTEGERS[parameter.name] : undefined
  const { description = parameter.description, ...schema } = plain(
    integer ?? parameter.schema,
    new Set(),
  ) as Json & { readonly description?: string }
  return { ...parameter, schema, ...(description !== undefined && { description }) }
}

const completed = (
  operation: Operation,
  { mayBeStale, once, shape }: Omit<Annotated, "audiences">,
): Json => ({
  ...operation,
  parameters: [
    ...operation.parameters.map(clean),
    parameterRef("RequestId"),
    ...(once ? [parameterRef("IdempotencyKey")] : []),
    ...(takesFields(operation) ? [parameterRef("Prefer")] : []),
  ],
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, response]) => [
      status,
      {
        ...response,
        ...(isRefusal(status, response) && { content: errorContent(response.description, shape) }),
        headers: {
          ...response.headers,
          ...headersOf(status, once),
          ...(mayBeStale && status === "200" && { "Payport-Data-Age": headerRef("DataAge") }),
          ...(takesFields(operation) && { "Payport-Ignored-Fields": headerRef("IgnoredFields") }),
        },
      },
    ]),
  ),
})

/** Returns the body. A body with only optional fields may be omitted. */
const bodyOf = ({ requestBody }: Operation, schemas: Spec["components"]["schemas"]): Json => {
  if (requestBody === undefined) return {}
  const named = requestBody.content["application/json"]?.schema["$ref"]
  const reference = typeof named === "string" ? named : ""
  const component = schemas[reference.slice(reference.lastIndexOf("/") + 1)]
  const required = component === undefined || component["required"] !== undefined
  return { requestBody: { ...requestBody, required } }
}

/** Returns the annotations of operations, by method and path as in the document. */
const annotatedOperations = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): ReadonlyMap<string, Annotated> => {
  const found = new Map<string, Annotated>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, mergedAnnotations }) => {
      const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}")
      found.set(`${endpoint.method.toLowerCase()} ${path}`, {
        once: Context.get(mergedAnnotations, Annotation.Idempotency) !== null,
        shape: Context.get(mergedAnnotations, Annotation.Shape),
        audiences: Context.get(mergedAnnotations, Annotation.Audiences),
        mayBeStale: Context.get(mergedAnnotations, Annotation.MayBeStale),
      })
    },
  })
  return found
}

const UNSAID: Annotated = { once: false, shape: "flat", audiences: [], mayBeStale: false }

const METHODS = ["get", "post", "put", "patch", "delete"] as const

const SIGNED = {
  required: true,
  content: { "application/json": { schema: { $ref: "#/components/schemas/ChannelCallback" } } },
}

/** Returns the schema, limited to the current channels if they are known. */
const ofChannels = (schema: Json, channels: ReadonlyArray<string> | undefined): Json =>
  channels === undefined ? schema : { ...schema, enum: channels }

/** Returns the schema of a channel, with the names of the current channels. */
const channelSchema = (schema: Json, channels: ReadonlyArray<string> | undefined): Json => {
  const properties = schema["properties"] as { readonly channel: Json }
  return {
    ...schema,
    properties: { ...properties, channel: ofChannels(properties.channel, channels) },
  }
}

/** Returns the callback operation with the names of the current channels. */
const calledBy = (
  operation: Operation,
  channels: ReadonlyArray<string> | undefined,
): Operation => ({
  ...operation,
  parameters: operation.parameters.map((parameter) =>
    parameter.name === "channel"
      ? { ...parameter, schema: ofChannels(parameter.schema as Json, channels) }
      : parameter,
  ),
})

/** What effect says of each interface, at no address. */
const specs = new WeakMap<object, Spec>()

/**
 * Returns what effect says of an interface. It takes most of the time of a document, and is the
 * same for all services of a process.
 */
const specOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
): Spec => {
  const known = specs.get(api)
  if (known !== undefined) return known
  const spec = OpenApi.fromApi(
    api
      .add(webhooks)
      .annotate(HttpApi.AdditionalSchemas, [ErrorBody, NestedErrorBody, CallbackBody])
      .annotate(OpenApi.Servers, [{ url: "" }]),
  )
  specs.set(api, spec)
  return spec
}

/**
 * Returns the OpenAPI 3.1 document of an interface at `baseUrl`, with the names of the current
 * channels if they are given.
 */
export const documentOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string,
  channels?: ReadonlyArray<string>,
): Document => {
  const spec = specOf(api)
  const annotated = annotatedOperations(api)
  const all = Object.entries(spec.paths)
  const served = all.filter(([path]) => !path.startsWith(WEBHOOK_PATH))
  const paths = served.map(([path, item]) => {
    const operations = METHODS.flatMap((method) => {
      const operation = item[method]
      if (operation === undefined) return []
      const said = annotated.get(`${method} ${path}`) ?? UNSAID
      const body = bodyOf(operation, spec.components.schemas)
      const signed = path.startsWith("/v1/webhooks/channel/")
      const named = signed ? calledBy(operation, channels) : operation
      const done = { ...completed(named, said), ...body }
      return [[method, signed ? { ...done, requestBody: SIGNED } : done] as const]
    })
    return [path, Object.fromEntries(operations)] as const
  })
  const names = new Set(Object.keys(spec.components.schemas))
  const schemas = Object.entries(spec.components.schemas)
    .filter(([name]) => componentName(name, names) === name)
    .map(([name, schema]): readonly [string, Json] => [
      name,
      name === "Channel" ? channelSchema(schema, channels) : schema,
    ])
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return plain(
    {
      ...spec,
      servers: [{ url: baseUrl }],
      paths: Object.fromEntries(paths),
      webhooks: Object.fromEntries(
        all
          .filter(([path]) => path.startsWith(WEBHOOK_PATH))
          .map(([path, item]) => [path.slice(WEBHOOK_PATH.length), item]),
      ),
      components: {
        ...spec.components,
        schemas: Object.fromEntries(schemas),
        parameters: PARAMETERS,
        headers: HEADERS,
      },
    },
    names,
  ) as Document
}

/** The document of an interface, and its part for each audience. */
export interface Documents {
  readonly whole: Document
  readonly partFor: (audience: Annotation.Audience) => Json
}

/** Returns the document with the part of each audience. */
export const documentsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  baseUrl: string,
  channels?: ReadonlyArray<string>,
): Documents => {
  const whole = documentOf(api, baseUrl, channels)
  const annotated = annotatedOperations(api)
  return {
    whole,
    partFor: (audience) =>
      partFor(audience, whole, (operation) =>
        (annotated.get(operation) ?? UNSAID).audiences.includes(audience),
      ),
  }
}
