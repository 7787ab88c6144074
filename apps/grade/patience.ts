import { setTimeout as sleep } from "node:timers/promises"
import { retryAfter } from "../../adapters/channels/http/retryAfter.ts"
import { notJudged, type Verdict } from "./report/Report.ts"
import type { Answer } from "./Target.ts"

/** Sends a request again while it is answered with 429, as far as there is time. */
export type Patiently = (send: () => Promise<Answer>) => Promise<Answer>

/** How long one request, and all of them, may wait for their turn, in milliseconds. */
interface Waits {
  readonly each: number
  readonly all: number
}

/** Waits as `Retry-After` says, or a second without it. The signal ends all waits. */
export const makePatiently = ({ all, each }: Waits, signal: AbortSignal): Patiently => {
  let left = all
  return async (send) => {
    for (let mine = each; ;) {
      const answer = await send()
      if (answer.status !== 429) return answer
      const wait = retryAfter(answer.headers["retry-after"], Date.now()) * 1_000
      if (wait > Math.min(mine, left) || signal.aborted) return answer
      mine -= wait
      left -= wait
      await sleep(wait, undefined, { signal }).catch(() => undefined)
    }
  }
}

/** The verdict on a request that was answered with 429 to the end: its outcome was not seen. */
export const LIMITED: Verdict = notJudged(
  "it was answered with 429: raise the limit of requests while it is graded",
)
