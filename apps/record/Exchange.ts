import { createHash } from "node:crypto"

/** A request and its answer, as far as a scenario can be made of them. */
export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** Tells callers apart without telling who they are; empty for a request without a key. */
  readonly caller: string
  readonly isBuyer: boolean
  readonly keyed: boolean
  /** Milliseconds since the recording began. */
  readonly at: number
  readonly status: number
  /** Whether the answer was given before, to the same request under the same key. */
  readonly replayed: boolean
  /** What the bodies hold; undefined for none, for a long one, and for what is no JSON. */
  readonly asked: unknown
  readonly answered: unknown
}

/** The name of a caller, from what it proves itself by. */
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

/** What a body holds: JSON, or the last state that a stream of server-sent events has told of. */
export const contentOf = (text: string | undefined, type: string): unknown => {
  if (text === undefined || text === "") return undefined
  if (!type.startsWith("text/event-stream")) return parsed(text)
  const last = text
    .split(/\r?\n/)
    .flatMap((line) => /^data: ?(.*)$/.exec(line)?.slice(1) ?? [])
    .at(-1)
  return last === undefined ? undefined : parsed(last)
}
