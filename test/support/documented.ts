import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import type { App, Reply } from "./app.ts"

interface Documented {
  readonly description: string
  readonly content?: { readonly [mediaType: string]: object }
}

interface Operation {
  readonly responses: { readonly [status: string]: Documented | undefined }
}

/** An OpenAPI document. */
export interface Document {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: Operation | undefined } | undefined
  }
}

/** What each app serves, which stays the same. */
const served = new WeakMap<App, Document>()

/** Documents by their text, so that apps that serve the same one share its validators. */
const parsed = new Map<string, Document>()

/** Reads the document that the app serves. */
export const documentOf = async (app: App): Promise<Document> => {
  const known = served.get(app)
  if (known !== undefined) return known
  const { json, text } = await app.call("GET", "/openapi.json")
  const document = parsed.get(text) ?? (json as unknown as Document)
  parsed.set(text, document)
  served.set(app, document)
  return document
}

interface Named extends Operation {
  readonly name: readonly [path: string, verb: string]
  readonly pattern: RegExp
}

/** The operations of each document by verb, those without parameters first. */
const operations = new WeakMap<Document, Map<string, ReadonlyArray<Named>>>()

const operationsOf = (document: Document, verb: string): ReadonlyArray<Named> => {
  const known = operations.get(document) ?? new Map<string, ReadonlyArray<Named>>()
  operations.set(document, known)
  const made =
    known.get(verb) ??
    Object.entries(document.paths)
      .flatMap(([path, item]) => {
        const operation = item?.[verb]
        if (operation === undefined) return []
        const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`)
        return [{ ...operation, name: [path, verb] as const, pattern }]
      })
      .toSorted((a, b) => Number(a.name[0].includes("{")) - Number(b.name[0].includes("{")))
  known.set(verb, made)
  return made
}

/** Returns the operation for a path. A path without parameters takes precedence. */
const operationOf = (document: Document, method: string, target: string): Named | undefined => {
  const [path = ""] = target.split("?")
  return operationsOf(document, method.toLowerCase()).find(({ pattern }) => pattern.test(path))
}

/**
 * Returns an error body in the flat shape, from either of the two shapes; anything else unchanged.
 */
export const unnested = (json: Reply["json"]): Reply["json"] =>
  typeof json["error"] === "object" && json["error"] !== null
    ? { error: "nested", ...json["error"] }
    : json

const FACTS = ["code", "message", "field", "details", "request_id"]

/** The fields of an error body that neither of the two shapes has. */
const strangeFields = (json: Reply["json"]): ReadonlyArray<string> => {
  const { error } = json
  const nested = typeof error === "object" && error !== null
  const outside = nested ? ["error"] : ["error", ...FACTS]
  return [
    ...Object.keys(json).filter((name) => !outside.includes(name)),
    ...(nested ? Object.keys(error).filter((name) => !FACTS.includes(name)) : []),
  ]
}

const validators = new WeakMap<Document, (pointer: string) => ValidateFunction>()

/** Compiles the document's own schemas, each at its first use. */
const validatorsOf = (document: Document): ((pointer: string) => ValidateFunction) => {
  const known = validators.get(document)
  if (known !== undefined) return known
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(document, "document")
  const compiled = new Map<string, ValidateFunction>()
  const validatorAt = (pointer: string): ValidateFunction => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `document#/${pointer}` })
    compiled.set(pointer, validate)
    return validate
  }
  validators.set(document, validatorAt)
  return validatorAt
}

const pointerOf = (...keys: ReadonlyArray<string>): string =>
  keys.map((key) => encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")

const isErrorSchema = (content: object | undefined): boolean =>
  /\/(?:Nested)?Error"/.test(JSON.stringify(content ?? {}))

/**
 * Describes how a response contradicts the document: the route, the status, the media type or the
 * code is missing, or the body does not fit its schema. Error bodies may have only the documented
 * fields, in the one documented shape.
 */
export const undocumented = (
  document: Document,
  method: string,
  target: string,
  { headers, json, status, text }: Pick<Reply, "headers" | "json" | "status" | "text">,
): string | undefined => {
  const where = `${method} ${target.slice(0, 200)}`
  const operation = operationOf(document, method, target)
  const response = operation?.responses?.[status]
  if (operation === undefined || response === undefined) {
    return `${where} does not list ${status}: ${text.slice(0, 200)}`
  }
  const [mediaType = ""] = (headers.get("content-type") ?? "").split(";")
  const [content] = Object.entries(response.content ?? {})
    .filter(([known]) => known.split(";")[0] === mediaType)
    .map(([, each]) => each)
  if (content === undefined) {
    const isEmpty = response.content === undefined && text === ""
    return isEmpty ? undefined : `${where} does not list ${status} as ${mediaType}`
  }
  if (!/^application\/(problem\+)?json$/.test(mediaType)) return undefined
  const [path, verb] = operation.name
  const place = ["paths", path, verb, "responses", String(status), "content", mediaType, "schema"]
  const validate = validatorsOf(document)(pointerOf(...place))
  if (!validate(json)) {
    const [flaw] = validate.errors ?? []
    const what = `${flaw?.instancePath} ${flaw?.message}`
    return `${where} ${status} is not as documented: ${what}: ${text.slice(0, 300)}`
  }
  const strange = isErrorSchema(content) ? strangeFields(json) : []
  if (strange.length > 0) return `${where} ${status} has the fields ${strange.join(", ")} besides`
  if (unnested(json)["code"] === "INVALID_REQUEST" && status === 422) {
    if (!Array.isArray(unnested(json)["details"])) {
      return `INVALID_REQUEST without a list of details: ${text.slice(0, 200)}`
    }
  }
  return undefined
}

/**
 * Does the same for any response of an app. A path or method that no operation serves, such as a
 * page, is ignored.
 */
export const flawOf = (
  document: Document,
  method: string,
  target: string,
  reply: Pick<Reply, "headers" | "json" | "status" | "text">,
): string | undefined =>
  operationOf(document, method, target) === undefined
    ? undefined
    : undocumented(document, method, target, reply)
