import { failed, passed } from "../report/Report.ts"
import { type Asked, creates, type Exchange, keyOf, looksAtPayments, toolOf } from "./Exchange.ts"
import type { Part } from "./verdicts.ts"

/** Whether a creation repeats another: by its key, or as a tool call without a key. */
const isRepetition = (first: Asked, again: Asked): boolean => {
  const [one, other] = [keyOf(first), keyOf(again)]
  if (one !== undefined || other !== undefined) return one === other
  // The same tool call within a minute is one purchase.
  const tool = toolOf(first)
  return tool !== undefined && JSON.stringify(tool) === JSON.stringify(toolOf(again))
}

const isUnknown = ({ reply }: Exchange): boolean => reply === "lost"

/** Checks that after an unknown outcome it retries with the same key, or first reads payments. */
export const asksFirst: Part = ({ exchanges }) => {
  const lost = exchanges.findIndex((one) => creates(one) && isUnknown(one))
  const first = exchanges[lost]
  if (first === undefined) return passed
  const since = exchanges.slice(lost + 1)
  const next = since.findIndex((one) => creates(one))
  const again = since[next]
  if (again === undefined || isRepetition(first, again)) return passed
  if (since.slice(0, next).some(looksAtPayments)) return passed
  return failed(
    "the same Idempotency-Key again, or a look at the payments first",
    `a creation under ${keyOf(first) ?? "no key"}, then one under ${keyOf(again) ?? "no key"}`,
    "Keep the key with the purchase, and use it for as long as its outcome is unknown.",
  )
}

const SLACK = 100

/** Checks that it retries no earlier than it was asked to. */
export const waits: Part = ({ exchanges }) => {
  const made = exchanges.filter((one) => creates(one))
  for (const [n, { at, reply }] of made.entries()) {
    const after = reply === "lost" ? 0 : Number(reply.headers["retry-after"] ?? 0) * 1_000
    const next = made[n + 1]
    if (next !== undefined && next.at - at < after - SLACK) {
      return failed(
        `the next attempt after ${after} ms`,
        `after ${Math.round(next.at - at)} ms`,
        "Wait as long as Retry-After says, and longer each time.",
      )
    }
  }
  return passed
}

/** Checks that it retries a postponed request with the same key. */
export const keepsKey: Part = ({ exchanges }) => {
  const made = exchanges.filter((one) => creates(one))
  const [first] = made
  const other = first && made.find((one) => !isRepetition(first, one))
  if (first === undefined || other === undefined) return passed
  return failed(
    `one key, ${keyOf(first) ?? "which the first attempt lacks"}`,
    `another one, ${keyOf(other) ?? "none"}`,
    "An attempt that was put off may have begun: repeat it under its own key.",
  )
}

/** Checks that after an expired quote it requests another one, or stops. */
export const quotesAgain: Part = ({ exchanges }) => {
  const isPaying = ({ path }: Asked) => path.split("?")[0] === "/v1/fx/routes"
  const expired = exchanges.findIndex(
    (one) => isPaying(one) && one.reply !== "lost" && one.reply.body.includes("QUOTE_EXPIRED"),
  )
  if (expired === -1) return passed
  const since = exchanges.slice(expired + 1)
  const next = since.findIndex((one) => creates(one))
  const isAsked = since
    .slice(0, next)
    .some(({ method, path }) => method === "POST" && path.split("?")[0] === "/v1/fx/quotes")
  if (next === -1 || isAsked) return passed
  return failed(
    "another quote before anything is paid",
    `${since[next]?.path} without one`,
    "A quote holds for a minute: ask for a new one, and hold it to the budget again.",
  )
}
