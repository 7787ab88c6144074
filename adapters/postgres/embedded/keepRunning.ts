import { Effect, Schedule } from "effect"
import { servesFolder } from "./processes.ts"
import type { ServerAddress } from "./serverAddress.ts"
import { type ServerPlan, startServer } from "./startServer.ts"

/** A running server. `pid` changes when the server is started again. */
export interface Running {
  pid: number
  readonly address: ServerAddress
  readonly adopted: boolean
}

const isGone = (plan: ServerPlan, running: Running) =>
  Effect.promise(async () => !(await servesFolder(running.pid, plan.cluster.data)))

const startAgain = Effect.fnUntraced(function* (plan: ServerPlan, running: Running) {
  yield* Effect.logWarning(`PostgreSQL (process ${running.pid}) ended by itself: starting it again`)
  running.pid = yield* startServer(plan, running.address)
  yield* Effect.logInfo(`PostgreSQL runs again (process ${running.pid})`)
})

/**
 * Checks once a second whether the server still runs. Restarts a server that ended by itself (out
 * of memory, killed by somebody) at the same address. Retries a failed start after 1 s to 30 s.
 */
export const keepRunning = (plan: ServerPlan, running: Running) =>
  isGone(plan, running).pipe(
    Effect.repeat({ schedule: Schedule.spaced("1 second"), until: (gone) => gone }),
    Effect.andThen(
      startAgain(plan, running).pipe(
        Effect.tapError(({ message }) => Effect.logError(message)),
        Effect.retry(
          Schedule.min([Schedule.exponential("1 second"), Schedule.spaced("30 seconds")]),
        ),
      ),
    ),
    Effect.forever,
    Effect.forkScoped,
  )
