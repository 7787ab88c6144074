import { Api } from "../../../adapters/http/contract/Api.ts"
import { documentOf } from "../../../adapters/http/openapi.ts"
import type * as OpenApi from "../../../adapters/http/openapi/Document.ts"

export type { SchemaNode } from "../../../adapters/http/openapi/Document.ts"

/** An operation of the OpenAPI document, with its method and path. */
export interface Operation extends OpenApi.Operation {
  readonly method: string
  readonly path: string
}

/** The base URL in examples: the default URL of a sandbox. */
export const BASE_URL = "http://127.0.0.1:4020"

/** The OpenAPI document of the contract with its sandbox, as it is served. */
export const document = documentOf(Api, BASE_URL)

/** Every operation, in the document's order. */
export const operations: ReadonlyArray<Operation> = Object.entries(document.paths).flatMap(
  ([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
)

/** Returns the name of the component that a reference points to. */
export const refName = (reference: string): string =>
  reference.slice(reference.lastIndexOf("/") + 1)
