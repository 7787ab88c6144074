import nacl from "tweetnacl"
import { keyOf } from "./openReceived.ts"
import { opened, register, rejected } from "./register.ts"
import { type Clause, flaw, want } from "./verdicts.ts"

/** Checks of the signatures and ids of deliveries. */
export const SIGNED: ReadonlyArray<Clause> = [
  {
    id: "hook-signed",
    title: "signs the body as it is sent, with the endpoint's secret and the time",
    clause: "Authentication: Webhook-Signature, t within 5 minutes",
    needs: ["hook-success"],
    hold: async (service) => {
      const [mine, other] = [await register(service), await register(service)]
      await rejected(service)
      await service.advance(1)
      for (const receiver of [mine, other]) {
        const [received] = await receiver.place.until(1)
        if (received === undefined) return flaw("a delivery", "none", "Tell every endpoint.")
        opened(received, receiver)
      }
      want(mine.secret !== other.secret, "a secret each", "one for both", "Draw a secret for each.")
    },
  },
  {
    id: "hook-ids",
    title: "gives each event an id of its own, and each delivery its key",
    clause: "Authentication: Idempotency-Key wh_evt_<event_id>-retry-<n>",
    needs: ["hook-success"],
    hold: async (service) => {
      const receiver = await register(service)
      await rejected(service)
      await rejected(service)
      await service.advance(1)
      const received = await receiver.place.until(2)
      const ids = new Set(received.map((one) => opened(one, receiver).id))
      const right = ids.size === 2 && !ids.has(undefined)
      want(right, "two ids", [...ids].join(), "An id names one event for good.")
      for (const one of received) {
        const key = keyOf(one)
        const { id } = opened(one, receiver)
        const named = id === key?.id || `evt_${key?.id}` === id || id === `wh_evt_${key?.id}`
        const seen = one.headers["idempotency-key"] ?? "none"
        want(named, `wh_evt_${id}-retry-<n>`, seen, "Name the event and the try.")
      }
    },
  },
  {
    id: "hook-sealed",
    title: "hides the body for an endpoint's key, and signs what it sends",
    clause: "Authentication: end-to-end encryption, X25519",
    needs: ["hook-success"],
    hold: async (service) => {
      const { publicKey, secretKey } = nacl.box.keyPair()
      const public_key = Buffer.from(publicKey).toString("base64")
      const encryption = { public_key, key_type: "x25519" }
      const receiver = await register(service, undefined, { encryption })
      const id = await rejected(service)
      await service.advance(1)
      const [received] = await receiver.place.until(1)
      if (received === undefined) return flaw("a delivery", "none", "Tell every endpoint.")
      const text = Buffer.from(received.body).toString()
      const isHidden = text.includes('"encrypted":true') && !text.includes(id)
      want(isHidden, "a body that is hidden", text.slice(0, 120), "Seal the whole event.")
      const { data, type } = opened(received, receiver, secretKey)
      const right = data["id"] === id && type === "payment_intent.failed"
      want(right, `payment_intent.failed of ${id}`, `${type} of ${String(data["id"])}`, "Seal it.")
    },
  },
]
