import { Effect, Exit, Redacted, Scope } from "effect"
import { onTestFinished } from "vitest"
import { startEmbeddedPostgres } from "../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { preparedFolder } from "./service.ts"

/** The URL of a PostgreSQL server of the test's own. */
export const startDatabase = async (): Promise<string> => {
  const dataDirectory = await preparedFolder()
  const scope = Scope.makeUnsafe()
  onTestFinished(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  const { url } = await Effect.runPromise(
    startEmbeddedPostgres({ dataDirectory }).pipe(Effect.provideService(Scope.Scope, scope)),
  )
  return Redacted.value(url)
}
