import { Api } from "../../../adapters/http/contract/Api.ts"
import { documentOf } from "../../../adapters/http/openapi.ts"

/** A JSON Schema, as far as the contract uses it. */
export interface SchemaNode {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly description?: string
  readonly properties?: { readonly [name: string]: SchemaNode }
  readonly required?: ReadonlyArray<string>
  readonly items?: SchemaNode
  readonly prefixItems?: ReadonlyArray<SchemaNode>
  readonly additionalProperties?: SchemaNode | boolean
  readonly anyOf?: ReadonlyArray<SchemaNode>
  readonly enum?: ReadonlyArray<unknown>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly default?: unknown
  readonly examples?: ReadonlyArray<unknown>
}

interface Content {
  readonly [mediaType: string]: { readonly schema?: SchemaNode }
}

export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description?: string
  readonly schema: SchemaNode
}

/** An operation as the document has it, with its method and path. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content?: Content }
  }
  readonly security: ReadonlyArray<{ readonly [scheme: string]: unknown }>
}

interface Document {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly webhooks: { readonly [type: string]: { readonly post: Operation } }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaNode }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly securitySchemes: { readonly [name: string]: { readonly description: string } }
  }
}

/** Where examples send their requests: the usual address of a sandbox. */
export const BASE_URL = "http://127.0.0.1:4020"

/** The contract with its sandbox, as it is served. */
export const document = documentOf(Api, BASE_URL) as unknown as Document

/** Every operation, in the document's order. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
)

/** The name of the component that a reference leads to. */
export const refName = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1)
