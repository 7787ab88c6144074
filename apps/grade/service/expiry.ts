import { post } from "./basis.ts"
import type { Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { millis, Payment } from "./Wire.ts"

const LIFE = 900
/** Allows a second of difference between clocks that are read one after the other. */
const SLACK = 1_000
/** How long before its expiry a payment is still tried. */
const BEFORE = 5_000

const EXPIRY = "States and transitions: any, expires_at reached, expired"

const advice = "Compare with expires_at at every read and at every move."

const staysExpired = async (service: Service, id: string): Promise<void> => {
  const seen = await service.get(id)
  want(seen.status === "expired", "status expired", `status ${seen.status}`, advice)
}

/** Checks of a payment from its creation to its expiry. */
export const EXPIRIES: ReadonlyArray<Clause> = [
  {
    id: "creates",
    title: "creates a payment with its amount, its settlement and a QR code",
    clause: "POST /v1/payment-intents",
    needs: ["offers"],
    hold: async (service) => {
      const body = await service.wish(123, { metadata: { order: "7" } })
      const asked = post(service.buyer, "/v1/payment-intents", body)
      const made = await service.must(201, Payment, asked)
      const { channel, currency } = service.options
      const { amount, id, qr, status } = made
      const isOpen = status === "pending" || status === "qr_generated"
      const right = id.startsWith("pi_") && isOpen && qr?.charge_id.startsWith("qr_") === true
      const wanted = "an id pi_…, status pending, a QR code qr_…"
      want(right, wanted, `${id}, ${status}, ${qr?.charge_id}`, "See the response 201.")
      const same = amount.value === 123 && amount.currency === currency && made.channel === channel
      const asAsked = `123 ${currency} at ${channel}`
      const seen = `${amount.value} ${amount.currency} at ${made.channel}`
      want(same, asAsked, seen, "A payment is for what was asked.")
    },
  },
  {
    id: "lifetime",
    title: "gives a payment fifteen minutes",
    clause: "POST /v1/payment-intents: expires_at, 15 minutes after creation",
    needs: ["creates"],
    hold: async (service) => {
      const before = service.now()
      const { created_at, expires_at } = await service.create()
      const lives = (millis(expires_at) - millis(created_at)) / 1_000
      want(Math.abs(lives - LIFE) <= 1, `${LIFE} s`, `${lives} s`, "Set expires_at at creation.")
      const off = (millis(created_at) - before) / 1_000
      const seen = `${off} s from the clock that is moved`
      want(Math.abs(off) <= 60, "created_at of the service's clock", seen, "Use one clock.")
    },
  },
  {
    id: "expires-early",
    title: "lets a payment be made until its time is over",
    clause: EXPIRY,
    needs: ["creates"],
    hold: async (service) => {
      const { expires_at, id } = await service.create()
      await service.moveTo(millis(expires_at) - BEFORE)
      const open = await service.get(id)
      const isOpen = open.status !== "expired"
      want(isOpen, `an open payment ${BEFORE / 1_000} s before its end`, open.status, advice)
      await service.simulate(id, "authorize")
      const seen = await service.until(
        () => service.get(id),
        ({ status }) => status === "authorized",
      )
      want(seen.status === "authorized", "status authorized", `status ${seen.status}`, advice)
    },
  },
  {
    id: "expires-late",
    title: "shows a payment as expired from expires_at on, and lets nobody pay it",
    clause: EXPIRY,
    needs: ["creates"],
    hold: async (service) => {
      const unpaid = await service.create()
      await service.moveTo(millis(unpaid.expires_at) + SLACK)
      await staysExpired(service, unpaid.id)
      await service.simulate(unpaid.id, "authorize")
      await staysExpired(service, unpaid.id)
      const captured = await service.act(service.seller, unpaid.id, "capture")
      const right = captured.status === 400 && captured.code === "INVALID_TRANSITION"
      want(right, "status 400, INVALID_TRANSITION", captured.said, advice)
    },
  },
  {
    id: "held-expires",
    title: "captures nothing that was authorized and not captured in time",
    clause: "States and transitions: after expires_at no further transitions occur",
    needs: ["expires-late"],
    hold: async (service) => {
      const { expires_at, id } = await service.authorized()
      await service.moveTo(millis(expires_at) + SLACK)
      const captured = await service.act(service.seller, id, "capture")
      const right = captured.status === 400 && captured.code === "INVALID_TRANSITION"
      want(right, "status 400, INVALID_TRANSITION", captured.said, advice)
      await staysExpired(service, id)
    },
  },
]
