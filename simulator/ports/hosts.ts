import { Effect } from "effect"
import type { EventConsumer } from "../../core/ports/EventConsumers.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import type { Auditor } from "../auditor/Auditor.ts"
import { NO_FAULTS } from "../faults/Faults.ts"
import type { Life } from "../world/processes/Process.ts"
import type { Stage } from "../world/Stage.ts"

/** The names of the hosts' consumers of events. */
export const HOST_CONSUMERS = ["books", "orders"] as const

/** How often a consumer fails, and how often it exceeds its time limit, while there are faults. */
const FAILS = 0.1
const HANGS = 0.05
const HANGING = 30 * SECOND

/** How long it otherwise takes for an event, on average. */
const TAKES = SECOND / 5

/**
 * Makes the consumers of a process's host: they fail, hang, and crash before and after they have
 * handled an event.
 */
export const consumersOf = (
  stage: Stage,
  auditor: Auditor,
  { at, name }: Pick<Life, "at" | "name">,
): ReadonlyMap<string, EventConsumer> =>
  new Map(
    HOST_CONSUMERS.map((consumer) => {
      const chance = stage.chance(`${consumer} of ${name}`)
      const consume: EventConsumer = Effect.fnUntraced(function* (event) {
        yield* at("consumer: before")
        auditor.see("told", event.id, { consumer, event })
        const isCalm = stage.faults() === NO_FAULTS
        if (!isCalm && chance.hits(FAILS)) return yield* Effect.fail("The host has failed.")
        yield* Effect.sleep(!isCalm && chance.hits(HANGS) ? HANGING : chance.wait(TAKES))
        auditor.see("dealt_with", event.id, { consumer, event })
        yield* at("consumer: after")
      })
      return [consumer, consume] as const
    }),
  )
