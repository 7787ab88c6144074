import { setTimeout as sleep } from "node:timers/promises"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { type Answer, type Received, Receiver } from "../../simulate/blackbox/Receiver.ts"

/** A place at which webhooks arrive. */
export interface Place {
  readonly url: string
  /** What has arrived there, the oldest first. */
  readonly received: () => ReadonlyArray<Received>
  /** Waits until so many have arrived, or for as long as a service may take. */
  readonly until: (count: number) => Promise<ReadonlyArray<Received>>
  /** Waits for what should not come. */
  readonly still: () => Promise<ReadonlyArray<Received>>
}

/** Receivers of webhooks, each of which answers as it was told. */
export interface Hooks {
  /** Opens a place that answers so: with 204 unless it is said. */
  readonly at: (answer?: () => Answer) => Place
  readonly server: Receiver
}

/** Apart from the receivers of a world, which may listen at the same port later. */
const PREFIX = "/graded/"

/** So long a service may take to send what has fallen due, and to send what it should not. */
const PATIENCE = 3_000
const STILLNESS = 150
const STEP = 25

/** Opens the receivers; `base` is where the service reaches them. */
export const openHooks = async (
  port: number,
  base: string | undefined,
  now: () => Timestamp,
): Promise<Hooks> => {
  const habits = new Map<string, () => Answer>()
  const habit = (place: string) => habits.get(place)?.() ?? { status: 404 }
  const server = new Receiver(habit, now, base, PREFIX)
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
