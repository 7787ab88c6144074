import { BaseSequencer, type TestSpecification } from "vitest/node"

/** The longest files, which start first, so that the run does not wait for one file at its end. */
const LONGEST = [
  "simulation/volume.test.ts",
  "chaos/chaos.test.ts",
  "chaos/longRuns.test.ts",
  // They mostly wait, which the worlds of `volume.test.ts` use.
  "apps/grade/channel/channel.test.ts",
  "apps/grade/service/service.test.ts",
  "http/x402HungUp.test.ts",
  "apps/grade/receiver/receiver.test.ts",
  "apps/grade/service/bugs.test.ts",
  "apps/grade/seller/seller.test.ts",
  "apps/grade/buyer/buyer.test.ts",
  "apps/deliveries.test.ts",
  "adapters/mcp/waiting.test.ts",
  "adapters/channels/http/mandates.test.ts",
  "adapters/postgres/replicas/replicas.test.ts",
  "adapters/http/mount/mounted.test.ts",
  "apps/server/live.test.ts",
  "apps/simulate/watch.test.ts",
  "apps/listen/main.test.ts",
  "adapters/postgres/plans.test.ts",
  "adapters/postgres/embedded/leftBehind.test.ts",
  "apps/server/server.test.ts",
  "adapters/postgres/migrate.test.ts",
  "adapters/postgres/PostgresStore.test.ts",
  "adapters/qr/reader.test.ts",
  "simulation/flaws.test.ts",
  "simulation/simulate.test.ts",
  "simulation/found.test.ts",
  "http/badInput.test.ts",
  "apps/server/crash.test.ts",
  "apps/crash.test.ts",
  "http/races.test.ts",
  "http/billing.test.ts",
  "http/secrets.test.ts",
  "http/keyRestrictions.test.ts",
  "apps/simulate/main.test.ts",
  "apps/simulate/blackbox.test.ts",
  "apps/server/start.test.ts",
  "apps/server/ownership.test.ts",
  "apps/server/processes/processes.test.ts",
  "apps/processes.test.ts",
  "apps/readme.test.ts",
  "apps/server/help.test.ts",
  "apps/simulate/flawedRun.test.ts",
  "mutation/mutation.test.ts",
  "releases/releases.test.ts",
]

const placeOf = ({ moduleId, project }: TestSpecification): number => {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/test/${path}`))
  const listed = place === -1 ? LONGEST.length : place
  return project.config.isolate ? listed : listed + LONGEST.length + 1
}

/**
 * Starts files with a process of their own before those that share one, since a shared process ends
 * where another kind is next. Of each kind, it starts the longest first and all others by their
 * paths, so that two runs are alike.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    return files.toSorted((a, b) => placeOf(a) - placeOf(b) || (a.moduleId < b.moduleId ? -1 : 1))
  }
}
