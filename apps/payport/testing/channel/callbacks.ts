import { Effect } from "effect"
import { currencies } from "../../../../adapters/fx/Currencies.ts"
import type { ChannelMessage } from "../../../../core/gateway/ChannelCallback.ts"
import { Channels } from "../../../../core/ports/Channels.ts"
import type { Currency } from "../../../../core/shared/Currency.ts"
import { fromMajor, toMajor } from "../../../../core/shared/Money.ts"
import { expect } from "../expect.ts"
import {
  AMOUNT,
  type ChannelCheck,
  type ChannelTestMode,
  draftCharge,
  held,
  type SentCallback,
} from "./probe.ts"

const FORGED: ReadonlyArray<string | undefined> = [undefined, "", "0".repeat(64), "forged"]

/** Returns the body with one character changed, with the same length and still readable. */
const altered = (body: Uint8Array): Uint8Array => {
  const text = new TextDecoder().decode(body)
  return new TextEncoder().encode(text.replace(/\d(?=\D*$)/, (digit) => `${9 - Number(digit)}`))
}

type Arrived = SentCallback & { readonly body: Uint8Array }

/** Returns the callback with another signature, as somebody without the secret would write it. */
const signedBy = ({ headers }: SentCallback, value: string | undefined) =>
  value === undefined
    ? {}
    : {
        signature: value,
        headers: Object.fromEntries(Object.keys(headers ?? {}).map((name) => [name, value])),
      }

/** The amount of the checks' refunds, in minor units. */
const REFUNDED = 200

const NO_AMOUNTS = { total_amount: "", refund_amount: "" }

const currencyOf = ({ currency }: ChannelTestMode): Currency => {
  const known = currencies.get(currency)
  if (known === undefined) throw new TypeError(`${currency} is no currency of ISO 4217.`)
  return known
}

type Send = (message: ChannelMessage) => SentCallback | Promise<SentCallback>

const reading = (mode: ChannelTestMode, send: Send) => (check: ChannelCheck) => {
  const { channel } = mode
  const currency = currencyOf(mode)
  const major = (value: number): string => toMajor({ currency: currency.code, value }, currency)
  /** Expects what was sent. Amounts are compared as money: `5` says the same as `5.00`. */
  const says = (read: ChannelMessage, message: ChannelMessage) => {
    const { refund_amount, total_amount, ...others } = { ...NO_AMOUNTS, ...message }
    expect(read).toMatchObject(others)
    const found = { ...NO_AMOUNTS, currency: currency.code, ...read }
    expect(found.currency, "the currency").toBe(currency.code)
    const minor = (text: string) => fromMajor(text, currency)
    expect(minor(found.total_amount), "total_amount").toBe(minor(total_amount))
    expect(minor(found.refund_amount), "refund_amount").toBe(minor(refund_amount))
  }
  const sent = (message: ChannelMessage): Effect.Effect<Arrived> =>
    Effect.promise(async () => {
      const { body, ...signed } = await send(message)
      return { ...signed, body: typeof body === "string" ? new TextEncoder().encode(body) : body }
    })
  const read = ({ body, headers = {}, signature }: Arrived) =>
    Effect.flatMap(Channels, (port) => port.readCallback(channel, body, signature, headers))
  const aPayment = (): ChannelMessage => ({
    channel,
    out_trade_no: draftCharge(mode).out_trade_no,
    trade_no: "trade-1",
    total_amount: major(AMOUNT),
    trade_status: "AUTHORIZED",
  })

  check("says of a payment, a refund or a mandate what the channel has said", () =>
    Effect.gen(function* () {
      const payment = aPayment()
      says(yield* read(yield* sent(payment)), payment)
      const refund: ChannelMessage = {
        channel,
        out_trade_no: draftCharge(mode).out_trade_no,
        out_request_no: "creq_1",
        refund_amount: major(REFUNDED),
        refund_status: "SUCCESS",
      }
      says(yield* read(yield* sent(refund)), refund)
      if (mode.approve === undefined) return
      const mandate = { channel, mandate_id: "mnd_1", mandate_status: "ACTIVE" } as const
      expect(yield* read(yield* sent(mandate))).toMatchObject(mandate)
    }),
  )

  check("is refused where the channel has not signed it", () =>
    Effect.gen(function* () {
      const genuine = yield* sent(aPayment())
      const { body } = genuine
      const wrong = [
        ...FORGED.map((value) => ({ body, ...signedBy(genuine, value) })),
        { ...genuine, body: altered(body) },
        { ...genuine, body: body.subarray(1) },
        { ...(yield* sent(aPayment())), body },
      ]
      for (const callback of wrong) {
        const refusal = yield* Effect.flip(read(callback))
        expect(refusal).toMatchObject({ code: "webhook_signature_invalid" })
      }
    }),
  )

  check("is noted without a failure", () =>
    Effect.gen(function* () {
      const charge = yield* held(mode)
      const { out_trade_no } = charge
      const message = yield* read(yield* sent({ ...aPayment(), out_trade_no }))
      yield* (yield* Channels).noteCallback(message)
    }),
  )
}

/** Checks how the adapter reads the channel's callbacks. */
export const callbacks = (mode: ChannelTestMode) => (check: ChannelCheck) => {
  const { callback } = mode
  if (callback === undefined) return
  check.group("a callback", () => reading(mode, callback)(check))
}
