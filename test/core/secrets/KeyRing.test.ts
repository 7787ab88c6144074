import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  finishFlaw,
  type KeyRing,
  mastersOf,
  newRing,
  onlyBy,
  ringFlaw,
  sealingKey,
  withNewKey,
  withoutUnused,
  wrappedAlso,
} from "../../../core/secrets/KeyRing.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"

const T0 = 1_769_846_400_000

const by = (master: string, text = "wrapped") => ({ master, text })

const key = (id: string, ...masters: ReadonlyArray<string>) => ({
  id,
  created_at: T0,
  wrapped: masters.map((master) => by(master)),
})

const ring = newRing("live", by("mk_old"), key("first", "mk_old"))

const idsOf = ({ keys }: KeyRing) => keys.map(({ id }) => id)

const both = (of: KeyRing) =>
  wrappedAlso(of, new Map(["root", ...idsOf(of)].map((id) => [id, by("mk_new")])))

describe("a database", () => {
  test.each([
    ["live", "mk_old", undefined],
    ["sandbox", "mk_old", /^This database belongs to live mode, but PAYPORT_MODE is sandbox\./],
    ["live", "mk_new", /^PAYPORT_MASTER_KEY has to be the key .* is mk_old, .* set is mk_new\.$/],
    ["sandbox", "mk_new", /^This database belongs to live mode/],
  ] as const)("of live mode is open to %s mode under %s: %s", (mode, master, flaw) => {
    const found = ringFlaw(ring, { mode, master })
    if (flaw === undefined) expect(found).toBeUndefined()
    else expect(found).toMatch(flaw)
  })

  test("opens to both master keys while one takes the place of the other", () => {
    const rotating = withNewKey(both(ring), key("second", "mk_old", "mk_new"), T0 + 1)
    expect(mastersOf(rotating)).toEqual(["mk_old", "mk_new"])
    const last = Result.getOrThrow(onlyBy(rotating, "mk_new"))
    expect(mastersOf(last)).toEqual(["mk_new"])
    expect(ringFlaw(last, { mode: "live", master: "mk_old" })).toContain("That is mk_new")
  })

  test("does not open to a master key that has wrapped only some of its keys", () => {
    const partly = withNewKey(ring, key("second", "mk_old", "mk_new"), T0)
    expect(mastersOf(partly)).toEqual(["mk_old"])
  })

  test("gives up no master key while the one that is to stay opens only some of its keys", () => {
    const other = withNewKey(both(ring), key("second", "mk_old", "mk_other"), T0 + 1)
    for (const master of ["mk_new", "mk_other", "mk_unknown"]) {
      expect(Result.getOrThrow(Result.flip(onlyBy(other, master)))).toMatch(
        new RegExp(`^Another rotation has begun, and ${master} .* Start this rotation again`),
      )
    }
  })

  test("is left to a master key only if an earlier run has introduced it", () => {
    expect(finishFlaw(ring, { next: "mk_new" })).toMatch(
      /^mk_new does not open every key .* no key was removed\. Run this without --finish,/,
    )
    const rotating = withNewKey(both(ring), key("second", "mk_old", "mk_new"), T0 + 1)
    expect(finishFlaw(rotating, { next: "mk_new" })).toBeUndefined()
    const other = withNewKey(rotating, key("third", "mk_old", "mk_other"), T0 + 2)
    expect(finishFlaw(other, { next: "mk_new" })).toContain("no key was removed")
  })

  test("takes the wrappings of a rotation that is begun again once", () => {
    expect(both(both(ring))).toEqual(both(ring))
  })
})

describe("the key that seals", () => {
  const rotated = withNewKey(ring, key("second", "mk_old"), T0 + 5)

  test("is the newest, and those before it keep the time at which they stopped", () => {
    expect(sealingKey(rotated)?.id).toBe("second")
    const again = withNewKey(rotated, key("third", "mk_old"), T0 + 9)
    expect(again.keys.map(({ retired_at }) => retired_at)).toEqual([T0 + 5, T0 + 9, null])
  })

  test.each<[string, ReadonlyArray<string>, number, ReadonlyArray<string>]>([
    ["named by a record", ["first"], T0 + 90 * DAY, ["first", "second"]],
    ["retired a day ago", [], T0 + DAY, ["first", "second"]],
    ["named by nothing since days", [], T0 + 5 + 2 * DAY, ["second"]],
  ])("takes the place of one that is %s", (_, named, now, kept) => {
    expect(idsOf(withoutUnused(rotated, new Set(named), now))).toEqual(kept)
  })
})
