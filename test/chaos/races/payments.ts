import { type Answer, succeed, succeedAtLast } from "../client.ts"
import { capture, openShop } from "../shop.ts"
import {
  at,
  authorized,
  type Effects,
  effects,
  inBooks,
  meet,
  type Target,
  tally,
  unless,
} from "./Target.ts"

/** Captures of one payment: each is answered as captured, and the channel captures once. */
export const captures: Target = {
  name: "captures",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Captured")
    const ids: Array<string> = []
    return {
      round: async (round) => {
        const id = await authorized(arena, shop, `captured in round ${round}`)
        const answers = await meet(arena, () => ["seller", capture(id)])
        ids.push(id)
        const all = answers.every(
          ({ body, status }) => status === 200 && /^(capt|succe)/.test(String(body["status"])),
        )
        return unless(all, "a capture was not told so", tally(answers))
      },
      end: () =>
        inBooks(arena, ids, (done) =>
          unless(done["capture"] === 1, "the channel did not take it once", done),
        ),
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

/** Whether an answer fits the payment's final state. */
const agrees = (ending: string, asked: "capture" | "void", status: number): boolean => {
  if (ending === "voided") return (asked === "void") === (status === 200)
  if (ending === "expired") return status !== 200
  return (asked === "capture") === (status === 200)
}

type Asked = "clock" | "capture" | "void"

/** Returns the answers that contradict the payment's final state. */
const misled = (
  ending: string,
  asked: (n: number) => Asked,
  answers: ReadonlyArray<Answer>,
): ReadonlyArray<string> => {
  const wrong = answers.filter(({ status }, n) => {
    const what = asked(n)
    return what !== "clock" && status !== 503 && !agrees(ending, what, status)
  })
  return unless(wrong.length === 0, `it is ${ending}, and some were told`, tally(wrong))
}

/** Checks that the channel's actions fit the final state. */
const inItsBooks = (ending: string, done: Effects): ReadonlyArray<string> => {
  const wanted = WINNERS[ending]
  const once =
    wanted !== undefined &&
    (done["capture"] ?? 0) === wanted.capture &&
    (done["release"] ?? 0) === wanted.release
  return unless(once, `it is ${ending}, and its channel did`, done)
}

const advance = (seconds: number) => ({ path: "/v1/sandbox/clock/advance", body: { seconds } })

/** Captures against voids against the end of the payment's time: one of them wins. */
export const endings: Target = {
  name: "capture against void against expiry",
  open: async (arena) => {
    const shop = await openShop(arena.services[0], arena.endpoint, "Contested")
    const mover = (round: number) => (round * 7) % arena.parallel
    const kind = (round: number) => (n: number) =>
      n === mover(round) ? "clock" : n % 2 === 0 ? "capture" : "void"
    const contests: Array<{ id: string; answers: ReadonlyArray<Answer> }> = []
    return {
      round: async (round) => {
        // The other process hears of the move a little later, and its payments may have ended then.
        const moved = at(arena, round === 0 ? 0 : mover(round - 1))
        const id = await authorized(arena, shop, `contested in round ${round}`, moved)
        const asked = kind(round)
        const answers = await meet(arena, (n) => {
          const what = asked(n)
          if (what === "clock") return ["seller", advance(LIFETIME + 1)]
          return ["seller", { path: `/v1/payment-intents/${id}/${what}` }]
        })
        contests.push({ id, answers })
        // Moves the clock of the process that creates the next payment, as the race may have moved
        // the other's.
        await succeedAtLast(arena.services[0], "seller", advance(5))
        const done = answers.every(({ status }, n) => asked(n) !== "clock" || status === 200)
        return unless(done, "the clock did not move", tally(answers))
      },
      end: async () => {
        const ids = contests.map(({ id }) => id)
        const done = await effects(arena, ids)
        const found: Array<string> = []
        for (const [round, { answers, id }] of contests.entries()) {
          const path = `/v1/payment-intents/${id}`
          const { body } = await succeed(arena.services[1], "seller", { method: "GET", path })
          const ending = String(body["status"])
          const wrong = [
            ...misled(ending, kind(round), answers),
            ...inItsBooks(ending, done.get(id) ?? {}),
          ]
          found.push(...wrong.map((what) => `of round ${round}, ${what}`))
        }
        return found
      },
    }
  },
}
