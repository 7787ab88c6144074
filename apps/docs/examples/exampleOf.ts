import { describe, methodsOf } from "../../packages/describe.ts"
import { BASE_URL, document, type Operation, operations, refName } from "../reference/OpenApi.ts"
import { prettyJson } from "../render/pretty.ts"
import { KEYS, type Step } from "./Step.ts"
import { story } from "./story.ts"

const byId = new Map(operations.map((operation) => [operation.operationId, operation]))

/** Returns the operation of a step. Throws if the contract does not have it. */
export const operationOf = ({ operation }: Step): Operation => {
  const found = byId.get(operation)
  if (found === undefined) throw new Error(`The contract has no operation ${operation}.`)
  return found
}

/** Returns the body of a step: its own, or the contract's example; undefined if there is none. */
const bodyOf = (step: Step): unknown => {
  const { requestBody } = operationOf(step)
  if (requestBody === undefined || step.body !== undefined) return step.body
  const schema = requestBody.content["application/json"]?.schema
  const component = document.components.schemas[refName(schema?.$ref ?? "")] ?? schema
  return component?.examples?.[0]
}

const isEmpty = (body: unknown): boolean => JSON.stringify(body) === "{}"

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

const urlOf = (step: Step): string => {
  const path = operationOf(step).path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(step.path?.[name] ?? ""),
  )
  const query = Object.entries(step.query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  )
  return `${BASE_URL}${path}${query.length === 0 ? "" : `?${query.join("&")}`}`
}

const takesIdempotencyKey = ({ parameters }: Operation): boolean =>
  parameters.some(({ $ref }) => $ref === "#/components/parameters/IdempotencyKey")

/** Returns the step as a curl command. */
export const curlOf = (step: Step): string => {
  const operation = operationOf(step)
  const { method } = operation
  const key = KEYS[step.as]
  const body = bodyOf(step)
  const verb = method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `
  const url = urlOf(step)
  const keyed = takesIdempotencyKey(operation)
  return [
    `curl ${verb}${url.includes("?") ? `"${url}"` : url}`,
    ...(key === undefined ? [] : [`-H "Authorization: Bearer $${key}"`]),
    ...(keyed ? [`-H "Idempotency-Key: ${step.operation}-1"`] : []),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"']),
    ...(body === undefined ? [] : [`-d ${quoted(prettyJson(body))}`]),
  ].join(" \\\n  ")
}

/** Formats a value as TypeScript. */
const literal = (value: unknown): string =>
  prettyJson(value).replaceAll(/(?<=[{,]\s*)"([a-z_]\w*)": /gi, "$1: ")

const methods = new Map(
  methodsOf()
    .toReversed()
    .map((method) => {
      const [, , called] = method
      return [typeof called === "string" ? called : "", describe(method, new Map())] as const
    }),
)

const nameOf = (gives: string): string => {
  if (gives.startsWith("Listing")) return "{ data }"
  const type = /^Promise<(\w+)>$/.exec(gives)?.[1] ?? "answer"
  return type.charAt(0).toLowerCase() + type.slice(1)
}

/** Returns the step as a call of the typed client; undefined if the client has no such call. */
export const clientCallOf = (step: Step): string | undefined => {
  const method = methods.get(step.operation)
  if (method === undefined) return undefined
  const ids = [...method.path.matchAll(/:(\w+)/g)].map(([, name = ""]) => step.path?.[name])
  const input = method.input === "body" ? bodyOf(step) : step.query
  const given = [...ids, ...(input === undefined || isEmpty(input) ? [] : [input])]
  const call = `payport.${method.resource}.${method.method}(${given.map(literal).join(", ")})`
  return method.accept === "text/event-stream"
    ? `for await (const { status } of ${call}) console.log(status)`
    : `const ${nameOf(method.gives)} = await ${call}`
}

/** Returns the step as a tool call, as MCP clients send it. */
export const toolCallOf = ({ tool }: Step): object | undefined =>
  tool && { jsonrpc: "2.0", id: 1, method: "tools/call", params: tool }

/** Returns an operation's examples as Markdown: curl, the typed client, and a tool if any. */
export const exampleOf = ({ operationId }: Operation): ReadonlyArray<string> => {
  const step = story.find(({ operation }) => operation === operationId)
  if (step === undefined) return []
  const called = story.find(
    ({ operation, tool }) => operation === operationId && tool !== undefined,
  )
  const [client, tool] = [clientCallOf(step), called && toolCallOf(called)]
  return [
    `\`\`\`bash curl\n${curlOf(step)}\n\`\`\``,
    ...(client === undefined ? [] : [`\`\`\`ts Client\n${client}\n\`\`\``]),
    ...(tool === undefined ? [] : [`\`\`\`json MCP\n${prettyJson(tool)}\n\`\`\``]),
  ]
}
