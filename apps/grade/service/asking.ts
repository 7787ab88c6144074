import { type Answer, said, type Target } from "../Target.ts"
import type { Time } from "./makeTime.ts"
import type { Reply, Service } from "./Service.ts"
import { flaw } from "./verdicts.ts"
import { read } from "./Wire.ts"

const PATIENCE = 30_000
const RETRIES = 3

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? (value as { readonly [field: string]: unknown })[name]
    : undefined

const replyOf = (answer: Answer): Reply => {
  if (answer.status === null) {
    const none = { status: null, headers: {}, text: "", json: undefined, code: undefined }
    return { ...none, said: answer.error }
  }
  const { headers, status, text } = answer
  const json = parse(text)
  const code = fieldOf(fieldOf(json, "error"), "code") ?? fieldOf(json, "code")
  const short = text.replaceAll(/\s+/g, " ").slice(0, 160)
  const told = `${said(answer)}${short === "" ? "" : `, ${short}`}`
  return {
    status,
    headers,
    text,
    json,
    said: told,
    code: typeof code === "string" ? code : undefined,
  }
}

/** Sends requests only to the service, once each, and keeps the errors. */
export const makeAsk =
  (target: Target, url: string, refusals: Array<Service["refusals"][number]>): Service["ask"] =>
  async ({ body, headers = {}, method = "GET", path, who }) => {
    const text = typeof body === "object" ? JSON.stringify(body) : body
    const all = {
      Accept: "application/json",
      ...(who !== undefined && { Authorization: `Bearer ${who.key}` }),
      ...(text !== undefined && { "Content-Type": "application/json" }),
      ...headers,
    }
    const sent = { method, url: new URL(`${url}${path}`), headers: all }
    const whole = text === undefined ? sent : { ...sent, body: text }
    const reply = replyOf(await target.send(whole, PATIENCE))
    if (reply.status !== null && reply.status >= 400) {
      refusals.push({ where: `${method} ${path.replace(/\?.*/, "")}`, reply })
    }
    return reply
  }

/** Retries after a rate limit: the error says how long to wait, and the clock can be moved. */
export const makePatient =
  (once: Service["ask"], { advance }: Time): Service["ask"] =>
  async (asked) => {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await once(asked)
      if (reply.status !== 429 || attempt > RETRIES) return reply
      await advance(Math.min(Math.max(Number(reply.headers["retry-after"]) || 1, 1), 3_600))
    }
  }

/** Expects a response with that status and form. */
export const makeMust =
  (ask: Service["ask"]): Service["must"] =>
  async (status, shape, asked) => {
    const reply = await ask(asked)
    const { method = "GET", path } = asked
    const wanted = `${method} ${path} with status ${status}`
    if (reply.status !== status) return flaw(wanted, reply.said, "See the section of the clause.")
    const found = read(shape, reply.json)
    return "found" in found ? found.found : flaw(wanted, found.flaw, "Answer with these fields.")
  }
