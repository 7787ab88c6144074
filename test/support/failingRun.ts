import { worldAgain } from "../../apps/simulate/again.ts"
import { Totals } from "../../apps/simulate/batch/Totals.ts"
import { keepReduced, type Reduced } from "../../apps/simulate/failures.ts"
import type { Shown } from "../../apps/simulate/page/page.ts"
import { drawScript } from "../../simulator/drawScript.ts"
import { usualParts } from "../../simulator/parts.ts"
import { simulate } from "../../simulator/perform.ts"
import type { Report } from "../../simulator/Report.ts"
import { breaksAgain } from "../../simulator/report/breaksAgain.ts"
import { mixed } from "../../simulator/scenarios/library.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { shrink } from "../../simulator/shrinking/shrink.ts"
import { dropping } from "../simulation/flaw.ts"

/** A run of three worlds: one is sound, one loses events, one was given up. */
export interface FailingRun {
  readonly totals: Totals
  readonly sound: Report
  readonly reduced: Reduced
  readonly shown: Shown
}

/** Without faults, a world is soon reduced. */
const CALM: Scenario = { ...mixed, faults: { base: "none" } }

const EFFORT = { tries: 400, seconds: 60 } as const

/** Plays such a run; the file of the world that failed is written to the folder. */
export const failingRun = (folder: string): FailingRun => {
  const totals = new Totals("mixed")
  const sound = simulate({ seed: 1, intents: 2, scenario: CALM })
  totals.add(sound, 120)
  const alterations = dropping("events")
  const failing = simulate({ seed: 3, intents: 2, scenario: CALM, alterations })
  totals.add(failing, 140)
  const message = "It did not end within 5 s of real time."
  totals.addBroken({ seed: 9, how: "too_long", message, wall_ms: 5_000 })
  const number = failing.violations[0]?.number ?? 0
  const whole = drawScript({ seed: 3, intents: 2, scenario: CALM })
  const shrunk = shrink(whole, usualParts, (one) => breaksAgain(one, number, { alterations }))
  const kept = { scenario: CALM, failures: folder, effort: EFFORT }
  const reduced = keepReduced(failing, shrunk, kept, alterations)
  const again = {
    world: (n: number) => worldAgain("mixed", n, 2),
    replay: (file: string) => `payport simulate replay ${file}`,
  }
  return { totals, sound, reduced, shown: { again, reduced: [reduced] } }
}
