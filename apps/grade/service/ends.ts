import { createHmac } from "node:crypto"
import { majorText } from "../majorText.ts"
import type { Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"

const refusesAll = async (service: Service, id: string, verbs: ReadonlyArray<string>) => {
  const before = await service.get(id)
  for (const verb of verbs) {
    const reply = await service.act(service.seller, id, verb)
    const refused = reply.status === 400 || reply.status === 409
    const seen = `${verb} of what is ${before.status}: ${reply.said}`
    want(refused, "status 400, INVALID_TRANSITION", seen, "Look at the state before each move.")
  }
  const after = await service.get(id)
  const advice = "What has ended stays as it is."
  want(after.status === before.status, before.status, after.status, advice)
}

/** Checks of final states, and of transitions that must not happen. */
export const ENDS: ReadonlyArray<Clause> = [
  {
    id: "ended",
    title: "lets no way lead out of an end",
    clause: "States and transitions: expired, failed and cancelled are terminal",
    needs: ["path", "voids"],
    hold: async (service) => {
      const rejected = await service.create()
      await service.simulate(rejected.id, "reject")
      await refusesAll(service, rejected.id, ["capture"])
      await service.simulate(rejected.id, "authorize")
      await refusesAll(service, rejected.id, ["capture"])
      const voided = await service.create()
      await service.act(service.buyer, voided.id, "void")
      await refusesAll(service, voided.id, ["capture"])
      const { id } = await service.succeeded()
      await refusesAll(service, id, ["void", "cancel"])
    },
  },
  {
    id: "forged",
    title: "believes nobody who says something in a channel's name without its signature",
    clause: "Authentication: channel callbacks are authenticated by X-Channel-Signature",
    needs: ["creates"],
    hold: async (service) => {
      const { channel, currency } = service.options
      const { amount, id } = await service.create()
      const data = {
        out_trade_no: id,
        trade_no: service.chance.uuid(),
        total_amount: majorText(amount),
        trade_status: "AUTHORIZED",
        currency,
        payer_id: "human-forged",
        wallet_id: "wallet-forged",
      }
      const body = JSON.stringify({ channel, event: "trade_status", data })
      const signature = createHmac("sha256", service.chance.hex(32)).update(body).digest("hex")
      const path = `/v1/webhooks/channel/${channel}`
      const advice = "Verify the signature over the bytes as they came, in constant time."
      for (const headers of [{}, { "X-Channel-Signature": signature }]) {
        const reply = await service.ask({ method: "POST", path, body, headers })
        const refused = reply.status !== null && reply.status >= 400 && reply.status < 500
        want(refused, "status 401", reply.said, advice)
      }
      const { status } = await service.get(id)
      want(status !== "authorized", "an unpaid payment", `status ${status}`, advice)
    },
  },
]
