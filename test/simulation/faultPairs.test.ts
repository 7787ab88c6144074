import { expect, test } from "vitest"
import { drawScript } from "../../simulator/drawScript.ts"
import { parts } from "../../simulator/parts.ts"
import { perform } from "../../simulator/perform.ts"
import { untraced } from "../../simulator/untraced.ts"
import { SAMPLE, worldsOf } from "./faultPairs.ts"

/** The parts that are cheap to play. */
const LIGHT = parts.filter(({ heavy }) => heavy === undefined).map(({ name }) => name)

test("pairs of faults at their worst break nothing: each fault with one other", () => {
  const unsound = worldsOf(SAMPLE, 1)
    .map((world) => untraced(() => perform({ ...drawScript(world), parts: LIGHT })))
    .flatMap(({ seed, violations }) => violations.map((violation) => ({ seed, ...violation })))
  expect(unsound).toEqual([])
}, 300_000)
