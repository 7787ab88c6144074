import { Result } from "effect"
import { describe, expect, test } from "vitest"
import {
  finishFlaw,
  type KeyRing,
  mastersOf,
  newRing,
  onlyBy,
  ringFlaw,
  sealingFlaw,
  sealingKey,
  withNewKey,
  withoutUnused,
  wrappedAlso,
} from "../../../core/secrets/KeyRing.ts"
import { BOUNDS } from "../../../core/retention/Retention.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"

const T0 = 1_769_846_400_000

/** The longest that a reply can be kept, of all settings. */
const LONGEST_REPLY = BOUNDS.reply.most * DAY

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

  const rotating = withNewKey(both(ring), key("second", "mk_old", "mk_new"), T0 + 1)
  const another = withNewKey(rotating, key("third", "mk_old", "mk_other"), T0 + 2)
  const ended = Result.getOrThrow(onlyBy(rotating, "mk_new"))
  const unknown =
    /^mk_new does not open every key .* no key was removed\. Run this without --finish/
  const replaced = /^mk_old is the key that mk_new is to replace, so no key was removed\. Set /

  test.each([
    ["that an earlier run has added", rotating, "mk_old", "mk_new", undefined],
    ["that processes already have", rotating, "mk_new", "mk_new", undefined],
    ["that is alone", ended, "mk_new", "mk_new", undefined],
    ["that takes a rotation back", rotating, "mk_new", "mk_old", undefined],
    ["that no run has added", ring, "mk_old", "mk_new", unknown],
    ["that another rotation has left out", another, "mk_old", "mk_new", unknown],
    ["that is being replaced", rotating, "mk_old", "mk_old", replaced],
  ] as const)("is left to a master key alone %s, or says why not", (_, of, old, next, flaw) => {
    if (flaw === undefined) expect(finishFlaw(of, { next, old })).toBeUndefined()
    else expect(finishFlaw(of, { next, old })).toMatch(flaw)
  })

  test("takes the wrappings of a rotation that is begun again once", () => {
    expect(both(both(ring))).toEqual(both(ring))
  })
})

test.each([
  ["knows the key that seals", "mk_old", ["second"], undefined],
  ["can open the key that seals", "mk_new", [], undefined],
  ["was started with a removed key", "mk_old", ["first"], /^The master key of this .* mk_new\.$/],
] as const)("a running process that %s", (_, master, known, flaw) => {
  const rotated = withNewKey(both(ring), key("second", "mk_new"), T0 + 1)
  const found = sealingFlaw(rotated, { master, known: (id) => known.some((one) => one === id) })
  if (flaw === undefined) expect(found).toBeUndefined()
  else expect(found).toMatch(flaw)
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
    ["named by the oldest reply", [], T0 + 5 + LONGEST_REPLY, ["first", "second"]],
    ["named by nothing since a day", [], T0 + 5 + LONGEST_REPLY + DAY, ["second"]],
  ])("takes the place of one that is %s", (_, named, now, kept) => {
    expect(idsOf(withoutUnused(rotated, new Set(named), now))).toEqual(kept)
  })
})
