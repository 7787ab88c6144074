import { DAY, HOUR, SECOND } from "../../../core/shared/Timestamp.ts"
import type { Answer } from "../../simulate/blackbox/Receiver.ts"
import { nextAfter, secondOf, times } from "./attempts.ts"
import { keyOf, openReceived } from "./openReceived.ts"
import { register, rejected } from "./register.ts"
import type { Service } from "./Service.ts"
import { type Clause, flaw, want } from "./verdicts.ts"

const RULES = "Delivery and retry rules"

/** Registers an endpoint for one final event, with a response until another is set. */
const failing = async (service: Service, answer: Answer) => {
  const habit = { answer }
  const receiver = await register(service, () => habit.answer)
  const from = service.now()
  await rejected(service)
  await service.advance(1)
  await receiver.place.until(1)
  const heal = () => void (habit.answer = { status: 204 })
  return { ...receiver, heal, from, to: service.now() }
}

/** Checks of the retries of deliveries that were not accepted. */
export const RETRIES: ReadonlyArray<Clause> = [
  {
    id: "retry-schedule",
    title: "tries again on its schedule, neither early nor late, to its end",
    clause: `${RULES}: delays after the previous attempt`,
    needs: ["hook-success"],
    hold: async (service) => {
      const first = await failing(service, { status: 500 })
      const { heal, place, secret } = first
      const advice = "Try again until the schedule has run out."
      const { waits, ...second } = await secondOf(service, first)
      let { last } = second
      for (const wait of waits) {
        const next = await nextAfter(service, last, wait)
        const wanted = `an attempt ${wait / SECOND} s after the last`
        last = next ?? flaw(wanted, "none in time", advice)
      }
      const made = place.received().length
      await service.advance((5 * DAY) / SECOND)
      const after = (await place.still()).length
      const end = "The last attempt of the schedule is the last of all."
      want(after === made, times(made), times(after), end)
      heal()
      const events = new Set(
        place.received().map((received) => {
          const opened = openReceived(received, secret)
          return "event" in opened ? `${opened.event.id} ${opened.event.type}` : opened.flaw
        }),
      )
      const seen = [...events].join(", ")
      want(events.size === 1, "one event", seen, "An attempt tells the same as the one before.")
      const keys = new Set(place.received().map((received) => keyOf(received)?.retry))
      const right = keys.size === made
      want(right, `${made} numbers of tries`, `${keys.size}`, "Count the tries in the key.")
    },
  },
  {
    id: "retry-401",
    title: "tries again where it is answered 401",
    clause: `${RULES}: 401 is retried`,
    needs: ["hook-success"],
    hold: async (service) => {
      const first = await failing(service, { status: 401 })
      const { heal, place } = first
      heal()
      await secondOf(service, first)
      const made = place.received().length
      await service.advance(DAY / SECOND)
      const after = (await place.still()).length
      want(after === made, "no attempt after a 2xx", times(after - made), "A 2xx ends it.")
    },
  },
  {
    id: "retry-dropped",
    title: "drops what is refused with another 4xx",
    clause: `${RULES}: other 4xx are dropped at once`,
    needs: ["hook-success"],
    hold: async (service) => {
      const { heal, place } = await failing(service, { status: 404 })
      await service.advance(HOUR / SECOND)
      const made = (await place.still()).length
      heal()
      want(made === 1, "one attempt", times(made), "A receiver that refuses has said so.")
    },
  },
  {
    id: "retry-silence",
    title: "gives up on a receiver after five seconds, and tries again",
    clause: "Limits: webhook response time, 5 seconds",
    needs: ["hook-success"],
    hold: async (service) => {
      const first = await failing(service, "hangs")
      const { heal, place } = first
      heal()
      await secondOf(service, first)
      const made = place.received().length
      want(made === 2, "two attempts", times(made), "Take silence for a failure.")
    },
  },
]
