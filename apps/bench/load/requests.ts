import { uuidv7 } from "uuidv7"
import { type Job, KEY } from "./Job.ts"

/** The requests of one connection: the bytes of the next one, and whether its answer is right. */
export interface Requests {
  readonly next: () => Buffer
  /** Returns what is wrong with the answer to the last request; undefined if it is right. */
  readonly flaw: (head: string, body: string) => string | undefined
}

const DIGITS = 12

/** Returns the service's host, and the route below the path of its URL. */
const placeOf = ({ url }: Job, route: string) => {
  const { host, pathname } = new URL(url)
  return { host, path: `${pathname.replace(/\/$/, "")}${route}` }
}

const PAYMENTS = "/v1/payment-intents"
const LINKS = "/v1/payments/one-time"

/** Makes POST requests, with a new key in each place of `KEY`. */
const posts = (
  job: Job,
  { headers = [], route, sent }: { route: string; sent: string; headers?: ReadonlyArray<string> },
) => {
  const { host, path } = placeOf(job, route)
  const lines = [
    `POST ${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${job.key}`,
    "Content-Type: application/json",
    ...headers,
    `Content-Length: ${Buffer.byteLength(sent)}`,
  ].join("\r\n")
  const bytes = Buffer.from(`${lines}\r\n\r\n${sent}`)
  const places: Array<number> = []
  for (let at = bytes.indexOf(KEY); at >= 0; at = bytes.indexOf(KEY, at + 1)) places.push(at)
  let current = KEY
  const next = () => {
    current = uuidv7()
    for (const place of places) bytes.write(current, place, "latin1")
    return bytes
  }
  return { next, current: () => current }
}

const creations = (job: Job, route: string, sent: string): Requests => {
  const headers = [`Idempotency-Key: ${KEY}`]
  const { current, next } = posts(job, { route, sent, headers })
  const code = route === LINKS ? `"deeplink":"` : `"qr_data":`
  return {
    next,
    flaw: (head, body) => {
      if (!head.startsWith("HTTP/1.1 201 ")) return "it is not 201"
      if (!head.includes(`Idempotency-Key: ${current()}`)) return "it echoes another key"
      if (head.includes("Idempotent-Replayed")) return "it is a replay"
      const isIntent =
        body.includes(`"id":"pi_`) && body.includes(`"status":"pending"`) && body.includes(code)
      return isIntent ? undefined : "it is no new payment"
    },
  }
}

const REVISION = "2026-07-28"

const toolCalls = (job: Job, name: string, given: object): Requests => {
  const params = {
    name,
    arguments: given,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": REVISION,
      "io.modelcontextprotocol/clientInfo": { name: "payport bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  }
  const { next } = posts(job, {
    route: "/mcp",
    sent: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    headers: [
      "Accept: application/json, text/event-stream",
      `MCP-Protocol-Version: ${REVISION}`,
      "Mcp-Method: tools/call",
      `Mcp-Name: ${name}`,
    ],
  })
  return {
    next,
    flaw: (head, body) => {
      if (!head.startsWith("HTTP/1.1 200 ")) return "it is not 200"
      if (body.includes(`"replayed":true`)) return "it is a replay"
      const isIntent = body.includes(`"status":"pending"`) && !body.includes(`"isError":true`)
      return isIntent ? undefined : "it is no new payment"
    },
  }
}

const reads = (job: Job, idPrefix: string, count: number): Requests => {
  const { host, path } = placeOf(job, PAYMENTS)
  const lines = [
    `GET ${path}/${idPrefix}${"0".repeat(DIGITS)} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: Bearer ${job.key}`,
  ].join("\r\n")
  const bytes = Buffer.from(`${lines}\r\n\r\n`)
  const place = lines.indexOf(" HTTP/1.1") - DIGITS
  let digits = ""
  return {
    next: () => {
      digits = (1 + Math.floor(Math.random() * count)).toString(16).padStart(DIGITS, "0")
      bytes.write(digits, place, "latin1")
      return bytes
    },
    flaw: (head, body) => {
      if (!head.startsWith("HTTP/1.1 200 ")) return "it is not 200"
      return body.includes(`"id":"${idPrefix}${digits}"`) ? undefined : "it is another payment"
    },
  }
}

/** The requests that a connection of the job sends, one after another. */
export const requestsOf = (job: Job): Requests => {
  const { request } = job
  switch (request.type) {
    case "create":
      return creations(job, PAYMENTS, request.body)
    case "link":
      return creations(job, LINKS, request.body)
    case "tool":
      return toolCalls(job, request.name, request.arguments)
    case "get":
      return reads(job, request.idPrefix, request.count)
  }
}
