import { createHash } from "node:crypto"

/** A request and its response, with the fields that a scenario needs. */
export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Distinguishes callers without identifying them; empty for a request without a key. */
  readonly caller: string
  readonly isBuyer: boolean
  readonly keyed: boolean
  /** Milliseconds since the recording began. */
  readonly at: number
  readonly status: number
  /** Whether the response repeats an earlier one to the same request with the same key. */
  readonly replayed: boolean
  /** The decoded bodies; undefined if there is none, if it is too long, or if it is not JSON. */
  readonly asked: unknown
  readonly answered: unknown
}

/** Returns the name of a caller, derived from its credentials. */
export const callerOf = (authorization: string | undefined) => ({
  caller:
    authorization === undefined ? "" : createHash("sha256").update(authorization).digest("hex"),
  isBuyer: /^bearer +ag_sk_/i.test(authorization ?? ""),
})

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Decodes a body: JSON, or the last state in a stream of server-sent events. */
export const contentOf = (text: string | undefined, type: string): unknown => {
  if (text === undefined || text === "") return undefined
  if (!type.startsWith("text/event-stream")) return parsed(text)
  const last = text
    .split(/\r?\n/)
    .flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1) ?? [])
    .at(-1)
  return last === undefined ? undefined : parsed(last)
}
