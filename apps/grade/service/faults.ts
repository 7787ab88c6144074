import { post } from "./basis.ts"
import { type Clause, want } from "./verdicts.ts"
import { Payment, read } from "./Wire.ts"

/** Checks of what happens to money if a channel fails. */
export const FAULTS: ReadonlyArray<Clause> = [
  {
    id: "unsure",
    title: "takes money once where the channel's answer to a capture is lost",
    clause: "Errors: TEMPORARILY_UNAVAILABLE, 503, retry with backoff",
    needs: ["path"],
    hold: async (service) => {
      const { id } = await service.authorized()
      const key = service.chance.uuid()
      await service.during({ timeout: true }, () => service.act(service.seller, id, "capture", key))
      await service.act(service.seller, id, "capture", key)
      const seen = await service.until(
        async () => {
          await service.advance(60)
          return service.get(id)
        },
        ({ status }) => status === "succeeded",
      )
      const advice = "Ask the channel under the same number until it is known."
      want(seen.status === "succeeded", "status succeeded", `status ${seen.status}`, advice)
      const back = await service.refund(id, {})
      want(back.status === 201, "a refund of all of it", back.said, advice)
    },
  },
  {
    id: "channel-down",
    title: "makes no payment while its channel is away, and says that it is worth trying again",
    clause: "Errors: CHANNEL_TEMPORARILY_UNAVAILABLE, CHANNEL_UNAVAILABLE",
    needs: ["creates"],
    hold: async (service) => {
      const body = await service.wish()
      const asked = post(service.buyer, "/v1/payment-intents", body)
      const reply = await service.during({ down: true }, () => service.ask(asked))
      const made = read(Payment, reply.json)
      const isFailed = "found" in made && made.found.status === "failed"
      const says = reply.code?.startsWith("CHANNEL_") === true
      const wanted = "a refusal CHANNEL_…, or a payment that is failed"
      want(isFailed || says, wanted, reply.said, "A payment without a QR code cannot be paid.")
      await service.create()
    },
  },
]
