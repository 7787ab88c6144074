import { Cause, Effect, Exit } from "effect"
import { layerJsonLines } from "../../adapters/shared/jsonLines.ts"
import { serve } from "../server/serve.ts"
import { readSettings } from "../server/settings.ts"
import { StartFailure } from "../server/StartFailure.ts"

/** A service that runs in this process until it is stopped. */
export interface OwnService {
  readonly stop: () => Promise<void>
}

const sandboxOnly = () =>
  new StartFailure({
    message: "This command only starts a sandbox. Start a live service with npm start.",
  })

/**
 * Starts a sandbox as `npm start` does, without its output. Rejects when it cannot start, such as
 * while another process uses the data folder.
 */
export const startOwnService = (): Promise<OwnService> =>
  new Promise((resolve, reject) => {
    const running = Effect.runFork(
      Effect.gen(function* () {
        const settings = yield* readSettings
        if (settings.mode === "live") return yield* sandboxOnly()
        return yield* serve(settings, () =>
          Effect.sync(() => {
            resolve({
              stop: () =>
                new Promise((stopped) => {
                  running.addObserver(() => stopped())
                  running.interruptUnsafe()
                }),
            })
          }),
        )
      }).pipe(Effect.provide(layerJsonLines())),
    )
    running.addObserver((exit) => {
      if (Exit.isFailure(exit)) reject(Cause.squash(exit.cause))
    })
  })
