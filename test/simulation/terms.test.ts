import { expect, test } from "vitest"
import { usualTerms } from "../../core/terms/Terms.ts"
import { drawScript } from "../../simulator/drawScript.ts"
import { NO_FAULTS } from "../../simulator/faults/Faults.ts"
import { isSound } from "../../simulator/Report.ts"
import { perform, simulate } from "../../simulator/perform.ts"

const { fees, limits } = usualTerms
const none = { per_transaction: 0, daily: 0 }

const play = (terms: Partial<typeof usualTerms>) =>
  simulate({ seed: 7, intents: 12, alterations: { terms: { ...usualTerms, ...terms } } })

test("the books are right in a world whose fees are others, and free for some", () => {
  const free = { service: 0, spread: { low: 0, middle: 0, high: 0 } }
  const dear = { ...fees.cross_border, service: 9_000 }
  const report = play({ fees: { ...fees, one_time: free, subscription: free, cross_border: dear } })
  expect(isSound(report), JSON.stringify(report.violations)).toBe(true)
  expect(report.statuses).toHaveProperty("completed")
})

test("nobody pays in a world that allows nothing", () => {
  const nothing = { anonymous: none, basic: none, enhanced: none, business: none }
  const report = play({ limits: { ...limits, ...nothing } })
  expect(isSound(report), JSON.stringify(report.violations)).toBe(true)
  for (const paid of ["completed", "succeeded"]) expect(report.statuses).not.toHaveProperty(paid)
})

test("a printed code may be refused once the day of its seller is full", () => {
  const daily = 40
  const { anonymous, basic, business, enhanced } = limits
  const small = {
    anonymous: { ...anonymous, daily },
    basic: { ...basic, daily },
    enhanced: { ...enhanced, daily },
    business: { ...business, daily },
  }
  const drawn = drawScript({ seed: 2, intents: 3, faults: NO_FAULTS })
  const report = perform(
    { ...drawn, parts: ["printed codes"] },
    { alterations: { terms: { ...usualTerms, limits: small } } },
  )
  expect(report.violations).toEqual([])
})
