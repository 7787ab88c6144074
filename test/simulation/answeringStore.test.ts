import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import type { Store } from "../../core/ports/Store.ts"
import type { Alterations } from "../../simulator/Alterations.ts"
import { simulate } from "../../simulator/perform.ts"
import { mixed } from "../../simulator/scenarios/library.ts"

type Service = Store["Service"]

const play = (store: (inner: Service) => Service) => {
  const alterations: Alterations = { store }
  const scenario = { ...mixed, faults: { base: "none" as const } }
  return simulate({ seed: 1, intents: 2, scenario, parts: [], alterations })
}

/** Something that takes a turn of the real world's event loop. */
const awaited = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.andThen(
    Effect.promise(() => Promise.resolve()),
    effect,
  )

describe("a store in a simulated world", () => {
  test.each<[keyof Service, (inner: Service) => Partial<Service>]>([
    ["find", (inner) => ({ find: (kind, id) => awaited(inner.find(kind, id)) })],
    ["commit", (inner) => ({ commit: (commit) => awaited(inner.commit(commit)) })],
    [
      "claimDue",
      (inner) => ({
        claimDue: (kind, now, options) => awaited(inner.claimDue(kind, now, options)),
      }),
    ],
    ["nextDueAt", (inner) => ({ nextDueAt: () => awaited(inner.nextDueAt()) })],
  ])("is refused where %s waits for a promise, and told what to do", (name, change) => {
    const begun = () => play((inner) => ({ ...inner, ...change(inner) }))
    expect(begun).toThrow(`Store.${name} waits for a promise or a callback of the real world`)
    expect(begun).toThrow("storeContracts of payport/testing")
  })

  test("may take its time, as long as that is virtual", () => {
    const slow = play((inner) => ({
      ...inner,
      claimDue: (kind, now, options) =>
        Effect.andThen(Effect.sleep(20), inner.claimDue(kind, now, options)),
    }))
    expect(slow.violations).toEqual([])
  })
})
