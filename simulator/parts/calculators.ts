import { Effect } from "effect"
import { calculationRules } from "../auditor/invariants/calculations.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { codesRead } from "./codesRead.ts"
import { sums } from "./moneySums.ts"
import { textsCompared } from "./textsCompared.ts"
import { timesKept } from "./timesKept.ts"

const calculate = ({ auditor, hears, stage }: Scene): void => {
  const chance = stage.chance("calculators")
  const all = [
    ...sums(chance),
    ...timesKept(chance, hears),
    ...textsCompared(chance),
    ...codesRead(chance, hears),
  ]
  for (const one of all) {
    auditor.see("calculated", one.what, one)
  }
}

/** People who work out amounts, times and addresses again, by other means than the service. */
export const calculators: Part = {
  name: "calculators",
  heavy: 0.1,
  large: 0.5,
  rules: calculationRules,
  inspect: (scene) => Effect.sync(() => calculate(scene)),
}
