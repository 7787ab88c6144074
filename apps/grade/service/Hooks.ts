import { setTimeout as sleep } from "node:timers/promises"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Answer, type Received, Receiver } from "../../simulate/blackbox/Receiver.ts"

/** An address that receives webhooks. */
export interface Place {
  readonly url: string
  /** Returns what has arrived there, the oldest first. */
  readonly received: () => ReadonlyArray<Received>
  /** Waits until so many have arrived, or until a service's time limit. */
  readonly until: (count: number) => Promise<ReadonlyArray<Received>>
  /** Waits for deliveries that should not arrive. */
  readonly still: () => Promise<ReadonlyArray<Received>>
}

/** Receivers of webhooks, each with its configured response. */
export interface Hooks {
  /** Opens an address with this response; 204 by default. */
  readonly at: (answer?: () => Answer) => Place
  readonly server: Receiver
}

/** Separates these receivers from those of a world, which may use the same port later. */
const PREFIX = "/graded/"

/** How long a service may take to send due deliveries, and unwanted ones are waited for, in ms. */
const PATIENCE = 3_000
const STILLNESS = 150
const STEP = 25

/** Opens the receivers; `base` is the URL at which the service reaches them. */
export const openHooks = async (
  port: number,
  base: string | undefined,
  now: () => Timestamp,
): Promise<Hooks> => {
  const habits = new Map<string, () => Answer>()
  const habit = (place: string) => habits.get(place)?.() ?? { status: 404 }
  const server = new Receiver(habit, { now, latest: now }, base, PREFIX)
  await server.listen(port)
  return {
    server,
    at: (answer = () => ({ status: 204 })) => {
      const place = String(habits.size)
      habits.set(place, answer)
      const received = () => server.received.filter((one) => one.place === place)
      return {
        url: server.urlOf(place),
        received,
        until: async (count) => {
          const end = performance.now() + PATIENCE
          while (received().length < count && performance.now() < end) await sleep(STEP)
          return received()
        },
        still: async () => {
          await sleep(STILLNESS)
          return received()
        },
      }
    },
  }
}
