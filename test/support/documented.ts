import type { App, Reply } from "./app.ts"

interface Operation {
  readonly responses: { readonly [status: string]: { readonly description: string } | undefined }
}

interface Document {
  readonly paths: {
    readonly [path: string]: { readonly [method: string]: Operation | undefined } | undefined
  }
}

/** Reads the document that the app serves. */
export const documentOf = async (app: App): Promise<Document> => {
  const { json } = await app.call("GET", "/openapi.json")
  return json as unknown as Document
}

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(path)

/** The operation that serves a path; a path without parameters goes before one with them. */
const operationOf = (document: Document, method: string, target: string) => {
  const [path = ""] = target.split("?")
  const pattern = Object.keys(document.paths)
    .toSorted((a, b) => Number(a.includes("{")) - Number(b.includes("{")))
    .find((known) => matches(known, path))
  return pattern === undefined ? undefined : document.paths[pattern]?.[method.toLowerCase()]
}

/** An error body in the flat shape, whichever of the two it came in; anything else as it is. */
export const unnested = (json: Reply["json"]): Reply["json"] =>
  typeof json["error"] === "object" && json["error"] !== null
    ? { error: "nested", ...json["error"] }
    : json

/** What is wrong with a refusal: its shape, or that the document does not have it for its route. */
export const undocumented = (
  document: Document,
  method: string,
  target: string,
  { status, json: shown, text }: Reply,
): string | undefined => {
  const json = unnested(shown)
  const { error, code, message } = json
  if (typeof error !== "string" || typeof code !== "string" || typeof message !== "string") {
    return `no error body: ${status} ${text.slice(0, 200)}`
  }
  const listed = operationOf(document, method, target)?.responses[status]?.description.split(", ")
  if (listed?.includes(code) !== true) return `${method} ${target} does not list ${status} ${code}`
  if (status === 422 && code === "INVALID_REQUEST" && !Array.isArray(json["details"])) {
    return `INVALID_REQUEST without a list of details: ${text.slice(0, 200)}`
  }
  return undefined
}
