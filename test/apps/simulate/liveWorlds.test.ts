import { Effect, Result } from "effect"
import { afterEach, expect, test } from "vitest"
import type { LiveWorlds } from "../../../adapters/pages/console/world/LiveWorlds.ts"
import { threadWorlds, WORLD_LIMITS } from "../../../apps/simulate/live/threadWorlds.ts"
import { isFailure } from "../../../core/shared/Failure.ts"
import type { Command } from "../../../simulator/live/Control.ts"
import type { Frame } from "../../../simulator/live/Frame.ts"
import { simulate } from "../../../simulator/perform.ts"
import { readRunFile } from "../../../simulator/RunFile.ts"

const run = <A>(effect: Effect.Effect<A, unknown>) => Effect.runPromise(effect)

const codeOf = async (effect: Effect.Effect<unknown, unknown>): Promise<string> => {
  const failure = await run(Effect.flip(effect))
  return isFailure(failure) ? failure.code : String(failure)
}

const ME = "acct_me"
const wish = { scenario: "mixed", seed: 3, payments: 6 }

let worlds: LiveWorlds | undefined
afterEach(() => run(worlds?.close ?? Effect.void))

const opened = (limits: Partial<typeof WORLD_LIMITS> = {}): LiveWorlds => {
  worlds = threadWorlds({ ...WORLD_LIMITS, ...limits })
  return worlds
}

/** Begins a world, and records its frames. */
const begun = async (all: LiveWorlds) => {
  const { id } = await run(all.begin(ME, wish))
  const frames: Array<Frame> = []
  let look: () => void = () => undefined
  let ended: string | undefined
  const stop = await run(
    all.watch(ME, id, {
      hear: (json) => {
        frames.push(JSON.parse(json) as Frame)
        look()
      },
      ended: (why) => {
        ended = why
        look()
      },
    }),
  )
  /** Returns the next frame that meets the condition. */
  const until = (isSo: (frame: Frame) => boolean): Promise<Frame> => {
    let from = frames.length
    return new Promise((resolve, reject) => {
      look = () => {
        const found = frames.slice(from).find(isSo)
        from = frames.length
        if (found !== undefined) resolve(found)
        else if (ended !== undefined) reject(new Error(ended))
      }
    })
  }
  const isEnded = () =>
    new Promise<string>((resolve) => {
      look = () => (ended === undefined ? undefined : resolve(ended))
      look()
    })
  const order = (command: Command) => run(all.command(ME, id, { command }))
  return { id, until, order, stop, isEnded }
}

const toFault = (fault: string | null): Command => ({ type: "run_to", what: "fault", fault })

test("a world stops exactly at a fault, goes on by one step, and its file is its run", async () => {
  const all = opened()
  const { id, order, until } = await begun(all)
  const standing = until(({ stop }) => stop !== null)
  await order(toFault("callback_delayed"))
  const { at_ms, control, faults, steps, stop } = await standing
  expect(stop?.line).toMatchObject({ n: steps, at_ms, kind: "fault" })
  expect([stop?.fault, control.plays, faults["callback_delayed"]]).toEqual([
    "callback_delayed",
    false,
    1,
  ])

  const story = await run(all.story(ME, id, stop?.line.payments[0] ?? ""))
  expect(story).toMatchObject({ type: "story", lines: expect.arrayContaining([stop?.line]) })

  const next = until((frame) => frame.steps > steps)
  await order({ type: "step" })
  expect(await next).toMatchObject({ steps: steps + 1, control: { plays: false } })

  const early = await run(all.file(ME, id))
  const end = until(({ phase }) => phase === "ended")
  await order({ type: "run_to", what: "end", fault: null })
  const last = await end
  expect([last.done, last.payments]).toEqual([6, 6])
  expect(await run(all.file(ME, id))).toBe(early)
  const { script, trace_hash } = Result.getOrThrow(readRunFile(JSON.parse(early)))
  expect([script.seed, trace_hash]).toEqual([3, simulate({ seed: 3, intents: 6 }).trace_hash])
})

test("worlds are their owners', few, and made of what can be played", async () => {
  const all = opened({ worlds: 2 })
  const { id } = await run(all.begin(ME, wish))
  expect(await run(all.offer(ME))).toMatchObject({ world: id, most_payments: 300 })
  expect(await run(all.offer("acct_other"))).toMatchObject({ world: null })
  expect(await codeOf(all.command("acct_other", id, { command: { type: "pause" } }))).toBe(
    "NOT_FOUND",
  )
  expect(await codeOf(all.file("acct_other", id))).toBe("NOT_FOUND")
  expect(await codeOf(all.story(ME, id, "pi_none"))).toBe("NOT_FOUND")
  expect(await codeOf(all.command(ME, id, { command: { type: "dance" } }))).toBe("INVALID_REQUEST")
  for (const wrong of [
    { ...wish, payments: 301 },
    { ...wish, seed: 0.5 },
    { ...wish, scenario: "nowhere" },
  ]) {
    expect(await codeOf(all.begin(ME, wrong))).toBe("INVALID_REQUEST")
  }
  await run(all.begin("acct_other", wish))
  expect(await codeOf(all.begin("acct_third", wish))).toBe("TEMPORARILY_UNAVAILABLE")
  // Another one of mine takes the place of the one that I had.
  const { id: second } = await run(all.begin(ME, wish))
  expect(await codeOf(all.end(ME, id))).toBe("NOT_FOUND")
  await run(all.end(ME, second))
  await run(all.begin("acct_third", wish))
})

test("an owner has one world, however many are begun at once", async () => {
  const all = opened({ worlds: 2 })
  const begun = await Promise.all([1, 2, 3].map((seed) => run(all.begin(ME, { ...wish, seed }))))
  const found = await Promise.all(begun.map(({ id }) => run(Effect.result(all.find(ME, id)))))
  expect(found.filter(Result.isSuccess)).toHaveLength(1)
})

test("a world ends when nobody watches it, after its time, and without memory", async () => {
  const left = await begun(opened({ patience: 20 }))
  left.stop()
  await expect.poll(() => codeOf(worlds?.end(ME, left.id) ?? Effect.void)).toBe("NOT_FOUND")
  const long = await begun(opened({ life: 20 }))
  expect(await long.isEnded()).toBe("too_long")
  const large = await begun(opened({ megabytes: 8 }))
  expect(await large.isEnded()).toBe("broken")
})
