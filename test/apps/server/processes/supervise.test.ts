import { expect, test } from "vitest"
import { usualProcesses } from "../../../../apps/server/processes/processSettings.ts"
import { connectionsFor, pauseAfter, postsOf } from "../../../../apps/server/processes/supervise.ts"
import type { Role } from "../../../../apps/server/settingVariables.ts"

test.each([
  ["sandbox", 64, 1],
  ["live", 1, 1],
  ["live", 2, 1],
  ["live", 3, 1],
  ["live", 4, 2],
  ["live", 9, 4],
  ["live", 64, 8],
] as const)("in the mode %s %i cores have %i processes that answer", (mode, cores, processes) => {
  expect(usualProcesses(mode, cores)).toBe(processes)
})

test("processes that do not come up are started ever more rarely", () => {
  expect([0, 1, 2, 3, 7, 40].map(pauseAfter)).toEqual([0, 500, 1_000, 2_000, 30_000, 30_000])
})

const named = (...roles: ReadonlyArray<Role>) =>
  postsOf({ processes: 2, roles: new Set(roles) }, { PAYPORT_DATABASE_URL: "its" }).map(
    ({ counts, environment, name }) => [name, environment["PAYPORT_ROLES"], counts],
  )

test("some answer and one works, which counts what waits for all of them", () => {
  expect(named("api", "worker")).toEqual([
    ["1", "api", false],
    ["2", "api", false],
    ["worker", "worker", true],
  ])
})

test("where none works, the first counts", () => {
  expect(named("api")).toEqual([
    ["1", "api", true],
    ["2", "api", false],
  ])
})

test.each([
  [3, {}, 100],
  [9, {}, 106],
  [65, {}, 610],
  [9, { readConnections: 4, workConnections: 8 }, 160],
])("the embedded database takes %i processes with %j: %i connections", (processes, use, all) => {
  expect(connectionsFor(processes, use)).toBe(all)
})
