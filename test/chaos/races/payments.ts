import { send, succeed } from "../client.ts"
import { capture, openShop } from "../shop.ts"
import { authorized, effects, meet, type Target, tally, unless } from "./Target.ts"

/** Captures of one payment: all are told that it is captured, and the channel took it once. */
export const captures: Target = {
  name: "captures",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Captured")
    return async (round) => {
      const id = await authorized(arena, shop, `captured in round ${round}`)
      const answers = await meet(arena, () => ["seller", capture(id)])
      const all = answers.every(
        ({ body, status }) => status === 200 && /^(capt|succe)/.test(String(body["status"])),
      )
      const done = await effects(arena, id)
      return [
        ...unless(all, "a capture was not told so", tally(answers)),
        ...unless(done["capture"] === 1, "the channel did not take it once", done),
      ]
    }
  },
}

const LIFETIME = 900

const WINNERS: {
  readonly [ending: string]: { readonly capture: number; readonly release: number }
} = {
  captured: { capture: 1, release: 0 },
  succeeded: { capture: 1, release: 0 },
  voided: { capture: 0, release: 1 },
  expired: { capture: 0, release: 1 },
}

/** What each caller may have been told of a payment that ended so. */
const agrees = (ending: string, asked: "capture" | "void", status: number): boolean => {
  if (ending === "voided") return (asked === "void") === (status === 200)
  if (ending === "expired") return status !== 200
  return (asked === "capture") === (status === 200)
}

/** Captures against voids against the end of the payment's time: one of them wins. */
export const endings: Target = {
  name: "capture against void against expiry",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Contested")
    return async (round) => {
      const id = await authorized(arena, shop, `contested in round ${round}`)
      const middle = (round * 7) % arena.parallel
      const kind = (n: number) => (n === middle ? "clock" : n % 2 === 0 ? "capture" : "void")
      const clock = { path: "/v1/sandbox/clock/advance", body: { seconds: LIFETIME + 1 } }
      const answers = await meet(arena, (n) => {
        if (kind(n) === "clock") return ["seller", clock]
        const path = `/v1/payment-intents/${id}/${kind(n)}`
        return ["seller", { path }]
      })
      const done = await effects(arena, id)
      const path = `/v1/payment-intents/${id}`
      const { body } = await succeed(arena.services[1], "seller", { method: "GET", path })
      const ending = String(body["status"])
      const wanted = WINNERS[ending]
      const wrong = answers.filter((answer, n) => {
        const asked = kind(n)
        if (asked === "clock") return answer.status !== 200
        if (answer.status === 503) return false
        return !agrees(ending, asked, answer.status)
      })
      const once =
        wanted !== undefined &&
        (done["capture"] ?? 0) === wanted.capture &&
        (done["release"] ?? 0) === wanted.release
      await send(arena.services[0], "seller", { ...clock, body: { seconds: 5 } })
      return [
        ...unless(wrong.length === 0, `it is ${ending}, and some were told`, tally(wrong)),
        ...unless(once, `it is ${ending}, and its channel did`, done),
      ]
    }
  },
}
