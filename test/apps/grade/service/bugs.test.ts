import { describe, expect, test } from "vitest"
import { namesOf } from "../grade.ts"
import { gradeBy, LONG } from "./gradeService.ts"
import { MUTANTS } from "./mutants.ts"
import { RIGHT, serveService } from "./subject.ts"

describe("a service with a bug", () => {
  test.each(MUTANTS)("that $name is named", LONG, async ({ also = [], named, parts }) => {
    const checks = await gradeBy(await serveService(parts()), [...named, ...also])
    expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining([...named]))
  })

  test.each([
    ["shows what has expired as open", "gives a cent less back", "leaves its third attempt out"],
    ["gives payments twenty minutes", "settles a cent less", "tells of an expiry minutes late"],
    ["captures what nobody has authorized", "counts each refund alone", "tries again at once"],
    ["looks for a key, and then acts", "gives more back than there is", "tells everything twice"],
    ["rounds amounts", "gives back what nobody has taken", "goes on after a refusal"],
  ])("that %s, %s and %s is named three times", LONG, async (...names) => {
    const three = MUTANTS.filter(({ name }) => names.includes(name))
    const named = three.flatMap((mutant) => mutant.named[0] ?? [])
    expect(named).toHaveLength(3)
    const parts = three.map((mutant) => ({ ...RIGHT, ...mutant.parts() }))
    const all = parts.reduce((one, other) => ({
      api: (passing, pass) => one.api(passing, (passed) => other.api(passed, pass)),
      hooks: (passing, pass) => one.hooks(passing, (passed) => other.hooks(passed, pass)),
    }))
    const checks = await gradeBy(await serveService(all), named)
    expect(namesOf(checks, "failed")).toEqual(expect.arrayContaining(named))
  })
})
