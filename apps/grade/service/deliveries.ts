import { DAY, SECOND } from "../../../core/shared/Timestamp.ts"
import { hears, opened, register, rejected, toldOf } from "./register.ts"
import { type Clause, want } from "./verdicts.ts"
import { millis } from "./Wire.ts"

const MARGIN = 60 * SECOND

/** Checks of the webhooks that receivers get. */
export const DELIVERIES: ReadonlyArray<Clause> = [
  {
    id: "hook-success",
    title: "tells of a payment's success, with what it was",
    clause: "Events: payment_intent.succeeded",
    needs: ["path"],
    hold: async (service) => {
      const receiver = await register(service)
      const paid = await service.succeeded(124)
      const { data } = await hears(service, receiver, paid.id, "payment_intent.succeeded")
      const wanted = {
        service_id: paid.service_id,
        amount: paid.amount,
        channel: paid.channel,
        channel_txn_id: paid.channel_txn_id,
        succeeded_at: paid.succeeded_at,
      }
      for (const [name, value] of Object.entries(wanted)) {
        const [told, is] = [data[name], value].map((one) => JSON.stringify(one))
        want(told === is, `${name} ${is}`, `${name} ${told}`, "Tell it as a read shows it.")
      }
    },
  },
  {
    id: "hook-ends",
    title: "tells of each end in its own words: failed and cancelled",
    clause: "Events: payment_intent.failed, payment_intent.cancelled",
    needs: ["hook-success"],
    hold: async (service) => {
      const receiver = await register(service)
      await hears(service, receiver, await rejected(service), "payment_intent.failed")
      const { id } = await service.create()
      await service.act(service.buyer, id, "void")
      await hears(service, receiver, id, "payment_intent.cancelled")
    },
  },
  {
    id: "hook-expired",
    title: "tells of an expiry when it comes, and neither early nor a minute late",
    clause: "Events: payment_intent.expired",
    needs: ["hook-success"],
    hold: async (service) => {
      const receiver = await register(service)
      const { expires_at, id } = await service.create()
      await service.moveTo(millis(expires_at) - 5 * SECOND)
      await receiver.place.still()
      const early = toldOf(receiver, id)
      const advice = "Let expires_at be when it falls due."
      want(early.length === 0, "nothing yet", early.map(({ type }) => type).join(), advice)
      await service.moveTo(millis(expires_at) + MARGIN)
      await hears(service, receiver, id, "payment_intent.expired")
    },
  },
  {
    id: "hook-once",
    title: "tells nothing again that was taken, though its channel says everything twice",
    clause: "Delivery and retry rules; Events: payment_intent.succeeded",
    needs: ["hook-success"],
    hold: async (service) => {
      const receiver = await register(service)
      const { id } = await service.during({ duplicate_callbacks: true }, () => service.succeeded())
      await hears(service, receiver, id, "payment_intent.succeeded")
      await service.advance(DAY / SECOND)
      await receiver.place.still()
      const told = toldOf(receiver, id)
      const seen = told.map(({ type }) => type).join(", ")
      want(told.length === 1, "one delivery", seen, "A 2xx ends a delivery.")
    },
  },
  {
    id: "hook-chosen",
    title: "tells an endpoint of the events that it has named, and of no others",
    clause: "POST /v1/webhook-endpoints: enabled_events",
    needs: ["hook-success"],
    hold: async (service) => {
      const fields = { enabled_events: ["payment_intent.failed"] }
      const [chosen, all] = [await register(service, undefined, fields), await register(service)]
      const { id } = await service.succeeded()
      await hears(service, all, id, "payment_intent.succeeded")
      await hears(service, chosen, await rejected(service), "payment_intent.failed")
      await chosen.place.still()
      const types = chosen.place.received().map((received) => opened(received, chosen).type)
      const right = types.every((type) => type === "payment_intent.failed")
      want(right, "payment_intent.failed", types.join(), "Send what was chosen.")
    },
  },
]
