import type { Faults } from "../faults/Faults.ts"
import type { Chance } from "../random/Chance.ts"
import { encode, type Envelope, type RefundData, seal, sign } from "./Codec.ts"

/** A message that its channel never sent. */
export interface SpoiltMessage<Data = RefundData> {
  readonly fault: "callback_tampered" | "callback_crossed" | "callback_forged"
  readonly envelope: Envelope
  readonly data: Data
  readonly flaw: string
}

/** A channel's message about a refund, with the secret that signs it. */
interface Genuine {
  readonly channel: string
  readonly secret: string
  readonly data: RefundData
  /** An earlier message of that channel; undefined if there is none. */
  readonly other: RefundData | undefined
}

const opposite = (data: RefundData): RefundData => ({
  ...data,
  refund_status: data.refund_status === "SUCCESS" ? "FAILED" : "SUCCESS",
})

/** Makes a genuine message with something changed, under the old signature. */
const tampered = (chance: Chance, { channel, data, secret }: Genuine): SpoiltMessage => {
  const wrong = chance.pick([opposite(data), { ...data, refund_amount: `1${data.refund_amount}` }])
  const { signature } = seal(channel, secret, data)
  const flaw = "the body was changed after it was signed"
  const envelope = { channel, body: encode(channel, wrong), signature }
  return { fault: "callback_tampered", envelope, data: wrong, flaw }
}

/** Makes a message with facts of one refund or channel under the name of another. */
const crossed = (chance: Chance, { channel, data, other, secret }: Genuine): SpoiltMessage => {
  const fault = "callback_crossed"
  const message = (changed: Partial<RefundData>, flaw: string): SpoiltMessage => {
    const wrong = { ...opposite(data), ...changed }
    return { fault, envelope: seal(channel, secret, wrong), data: wrong, flaw }
  }
  const currency = data.currency === "USD" ? "EUR" : "USD"
  return chance.pick([
    message({ refund_amount: `9${data.refund_amount}` }, "another amount"),
    ...(data.currency === undefined ? [] : [message({ currency }, "another currency")]),
    ...(other === undefined || other.out_trade_no === data.out_trade_no
      ? []
      : [message({ out_request_no: other.out_request_no }, "another payment's request")]),
  ])
}

/** Makes a message without the channel's secret. */
const forged = (chance: Chance, { channel, data }: Genuine): SpoiltMessage => {
  const wrong = opposite(data)
  const body = encode(channel, wrong)
  const signature = chance.pick([undefined, "", sign("guessed", body), "0".repeat(64)])
  const envelope = { channel, body, signature }
  return { fault: "callback_forged", envelope, data: wrong, flaw: "no genuine signature" }
}

/** Returns other wrong messages about a refund, as often as the world's faults say. */
export const spoiltMessagesOf = (
  chance: Chance,
  faults: Pick<Faults, SpoiltMessage["fault"]>,
  genuine: Genuine,
): ReadonlyArray<SpoiltMessage> =>
  (
    [
      [faults.callback_tampered, tampered],
      [faults.callback_crossed, crossed],
      [faults.callback_forged, forged],
    ] as const
  ).flatMap(([probability, make]) => (chance.hits(probability) ? [make(chance, genuine)] : []))
