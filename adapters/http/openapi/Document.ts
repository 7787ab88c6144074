/** A JSON Schema with the keywords that the contract uses. */
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

/** Bodies by their media types. */
export interface Content {
  readonly [mediaType: string]: { readonly schema?: SchemaNode }
}

/** A parameter of an operation. */
export interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly description: string
  readonly schema: SchemaNode
}

/** An answer of an operation. */
export interface Response {
  readonly $ref?: string
  readonly description: string
  readonly headers?: { readonly [name: string]: object }
  readonly content?: Content
}

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content; readonly required?: boolean }
  readonly responses: { readonly [status: string]: Response }
  readonly security: ReadonlyArray<{ readonly [scheme: string]: unknown }>
}

/** The operations of a path, by their methods. */
export interface PathItem {
  readonly [method: string]: Operation
}

/** An OpenAPI 3.1 document. As a type, not an interface, it is also assignable to a JSON object. */
export type Document = {
  readonly openapi: string
  readonly info: {
    readonly title: string
    readonly version: string
    readonly description?: string
    readonly license?: object
  }
  readonly servers: ReadonlyArray<{ readonly url: string }>
  readonly paths: { readonly [path: string]: PathItem }
  readonly webhooks: { readonly [type: string]: { readonly post: Operation } }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly components: {
    readonly schemas: { readonly [name: string]: SchemaNode }
    readonly parameters: { readonly [name: string]: Parameter }
    readonly headers: { readonly [name: string]: object }
    readonly securitySchemes: { readonly [name: string]: { readonly description: string } }
  }
}
