import { Effect, Exit, Scope } from "effect"
import { onTestFinished } from "vitest"
import { startOn, temporaryFolder } from "../apps/server/service.ts"
import { urlOf } from "./askDatabase.ts"
import { testDatabase } from "./postgres.ts"

/** Two processes of the service on one database. */
export const twoProcesses = async () => {
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const database = await Effect.runPromise(Scope.provide(testDatabase, scope))
  const folder = await temporaryFolder()
  const start = () => startOn(folder, { PAYPORT_DATABASE_URL: urlOf(database) })
  const [one, two] = await Promise.all([start(), start()])
  return { database, services: [one, two] as const }
}
