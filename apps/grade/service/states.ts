import type { Service } from "./Service.ts"
import { type Clause, want } from "./verdicts.ts"
import { millis, Payment } from "./Wire.ts"

const fails = async (service: Service, action: "reject" | "insufficient_balance", code: string) => {
  const { id } = await service.create()
  await service.simulate(id, action)
  const seen = await service.until(
    () => service.get(id),
    ({ status }) => status === "failed",
  )
  const said = `${seen.status}, ${seen.failure_code}`
  const advice = "Fail the payment, with the cause that its channel gives."
  want(seen.status === "failed" && seen.failure_code === code, `failed, ${code}`, said, advice)
}

const STAMPS = ["created_at", "scanned_at", "authorized_at", "captured_at", "succeeded_at"] as const

const inOrder = (payment: Payment): void => {
  const times = STAMPS.map((stamp) => millis(payment[stamp]))
  const right = times.every((time, place) => place === 0 || time >= (times[place - 1] ?? 0))
  const shown = STAMPS.map((stamp) => `${stamp} ${payment[stamp]}`).join(", ")
  want(right, "each time at or after the one before", shown, "Set each time once, as it happens.")
}

/** Acts on a payment, and checks its new state. */
export const goesTo = async (
  service: Service,
  id: string,
  status: string,
  move: Promise<unknown>,
) => {
  await move
  const seen = await service.until(
    () => service.get(id),
    (payment) => payment.status === status,
  )
  want(seen.status === status, `status ${status}`, `status ${seen.status}`, "Follow the table.")
  return seen
}

/** Checks of the states of payments by QR code and by link. */
export const STATES: ReadonlyArray<Clause> = [
  {
    id: "path",
    title: "goes from scan to success, each step with its time and its facts",
    clause: "States and transitions: PaymentIntent, Request Payment flow",
    needs: ["creates"],
    hold: async (service) => {
      const { id } = await service.create()
      await goesTo(service, id, "scanning", service.simulate(id, "scan"))
      const held = await goesTo(service, id, "authorized", service.simulate(id, "authorize"))
      const { human_id, wallet_id } = held.payer
      const knows = typeof human_id === "string" && typeof wallet_id === "string"
      const advice = "Keep whom the channel names."
      want(knows, "payer.human_id and payer.wallet_id", JSON.stringify(held.payer), advice)
      const captured = await service.must(200, Payment, {
        who: service.seller,
        method: "POST",
        path: `/v1/payment-intents/${id}/capture`,
        body: {},
      })
      want(
        captured.captured_at !== undefined && ["captured", "succeeded"].includes(captured.status),
        "status captured, with captured_at",
        `status ${captured.status}, captured_at ${captured.captured_at}`,
        "Answer a capture with the payment as it is then.",
      )
      const paid = await goesTo(service, id, "succeeded", Promise.resolve())
      const { channel_txn_id } = paid
      const isNamed = typeof channel_txn_id === "string"
      want(isNamed, "channel_txn_id", String(channel_txn_id), "Keep the channel's number of it.")
      inOrder(paid)
    },
  },
  {
    id: "capture-early",
    title: "captures nothing that nobody has authorized",
    clause: "Errors: INVALID_TRANSITION, 400 (capture when not authorized)",
    needs: ["creates"],
    hold: async (service) => {
      const { id } = await service.create()
      const reply = await service.act(service.seller, id, "capture")
      const right = reply.status === 400 && reply.code === "INVALID_TRANSITION"
      const advice = "Look at the state before the channel is asked for anything."
      want(right, "status 400, INVALID_TRANSITION", reply.said, advice)
      await service.simulate(id, "scan")
      const scanned = await service.act(service.seller, id, "capture")
      want(scanned.status === 400, "status 400, INVALID_TRANSITION", scanned.said, advice)
    },
  },
  {
    id: "rejected",
    title: "fails with the cause that the payer's wallet gives",
    clause: "States and transitions: PAYMENT_REJECTED, INSUFFICIENT_BALANCE",
    needs: ["creates"],
    hold: async (service) => {
      await fails(service, "reject", "PAYMENT_REJECTED")
      await fails(service, "insufficient_balance", "INSUFFICIENT_BALANCE")
    },
  },
  {
    id: "voids",
    title: "voids an unpaid payment, and lets go of what is held",
    clause: "POST /v1/payment-intents/{id}/void",
    needs: ["creates"],
    hold: async (service) => {
      for (const made of [service.create(), service.authorized()]) {
        const { id } = await made
        const reply = await service.act(service.buyer, id, "void")
        const { status } = await service.get(id)
        want(status === "voided", "status voided", `${status}; ${reply.said}`, "Void it.")
      }
    },
  },
]
