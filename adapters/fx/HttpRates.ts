import { Clock, Effect, Layer, Redacted, Semaphore } from "effect"
import { Agent } from "undici"
import { Installation } from "../../core/ports/Installation.ts"
import { Rates } from "../../core/ports/Rates.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { defaultRates } from "./DatedRates.ts"
import { readFeed } from "./feed.ts"
import { rateIn, type RateTable } from "./RateTable.ts"

export interface HttpRatesOptions {
  /** The URL of the feed. It may hold a key, so it is neither shown nor logged. */
  readonly url: Redacted.Redacted
  /** Milliseconds after which rates are fetched again. */
  readonly refreshAge?: number
  /** Time limit of an answer in milliseconds. */
  readonly timeout?: number
}

/** The pause after a failed attempt. */
const RETRY_AFTER = 10 * SECOND

const noRates = new Failure({
  code: "TEMPORARILY_UNAVAILABLE",
  message: "No exchange rates are available at the moment. Retry in a minute.",
  retry_after: 60,
})

/**
 * Rates of an HTTP JSON feed. The last rates are used while newer ones are fetched in the
 * background. A caller waits only if there are none, and all waiting callers share one request. If
 * the feed fails or answers older rates, the last good rates are used until they are too old. A
 * sandbox without any rates uses the dated table.
 */
export const HttpRates = ({
  url,
  refreshAge = 10 * MINUTE,
  timeout = 3 * SECOND,
}: HttpRatesOptions) =>
  Layer.effect(
    Rates,
    Effect.gen(function* () {
      const { mode } = yield* Installation
      const scope = yield* Effect.scope
      const agent = yield* Effect.acquireRelease(
        Effect.sync(() => new Agent({ connections: 1, maxHeaderSize: 16 * 1_024 })),
        (open) => Effect.promise(() => open.destroy()),
      )
      const turn = Semaphore.makeUnsafe(1)
      let last: RateTable | undefined
      let nextFetch = -Infinity

      const fetchRates = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now < nextFetch) return
        nextFetch = now + RETRY_AFTER
        const found = yield* readFeed(agent, Redacted.value(url), timeout)
        // A feed whose clock is ahead must not give rates of the future.
        const as_of = Math.min(found.as_of, yield* Clock.currentTimeMillis)
        // A cache or a second node of the feed can answer what it had before.
        if (last !== undefined && as_of < last.as_of) {
          return yield* Effect.logWarning("The feed of exchange rates answered older rates.")
        }
        last = { ...found, as_of }
        nextFetch = now + refreshAge
      }).pipe(
        Effect.catchTag("FeedFailure", ({ reason }) =>
          Effect.logWarning(`The feed of exchange rates failed: ${reason}.`),
        ),
        (self) => turn.withPermit(self),
      )

      return Rates.of({
        perDollar: Effect.fnUntraced(function* (currency) {
          const now = yield* Clock.currentTimeMillis
          if (now >= nextFetch) {
            if (last === undefined) yield* fetchRates
            else yield* Effect.forkIn(fetchRates, scope)
          } else if (last === undefined) yield* turn.withPermit(Effect.void)
          const table = last ?? (mode === "sandbox" ? defaultRates : undefined)
          if (table === undefined) return yield* noRates
          return yield* Effect.fromResult(rateIn(table, currency, mode, now))
        }),
      })
    }),
  )
