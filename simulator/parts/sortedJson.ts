// Written independently of core/shared on purpose.

import { canonicalJson } from "../../core/shared/Text.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"
import type { Chance } from "../random/Chance.ts"

/** Writes JSON with sorted keys, by another way than the service. */
const sortedJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )

const drawJson = (chance: Chance, depth: number): unknown =>
  chance.pick<() => unknown>([
    () => chance.int(-5, 5) / 2,
    () => chance.hits(0.5),
    () => null,
    () =>
      chance.pick([
        "",
        "plain",
        'a "quote"',
        "back\\slash",
        "line\nbreak",
        "é",
        "\u007f",
        "📚",
        " !#[]^~",
      ]),
    () =>
      depth === 0 ? 1 : Array.from({ length: chance.int(0, 3) }, () => drawJson(chance, depth - 1)),
    () => (depth === 0 ? "x" : drawObject(chance, depth)),
    () => (depth === 0 ? "y" : drawObject(chance, depth)),
  ])()

const drawObject = (chance: Chance, depth: number): object =>
  Object.fromEntries(
    Array.from({ length: chance.hits(0.1) ? 40 : chance.int(0, 6) }, () => [
      chance.pick(["a", "B", "zz", "é", 'q"', "x y", "long".repeat(20), `k${chance.int(10, 99)}`]),
      chance.hits(0.1) ? undefined : drawJson(chance, depth - 1),
    ]),
  )

/** Writes some values as JSON in two ways. */
export const values = (chance: Chance): ReadonlyArray<Calculated> =>
  Array.from({ length: 10 }, () => drawJson(chance, 3)).map((value) => ({
    what: "JSON in order",
    expected: sortedJson(value),
    found: canonicalJson(value),
  }))
