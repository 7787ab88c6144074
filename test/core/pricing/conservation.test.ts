import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { currencies } from "../../../adapters/fx/Currencies.ts"
import { defaultRates } from "../../../adapters/fx/DatedRates.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import type { Channel } from "../../../core/channels/Channel.ts"
import { journalsOf } from "../../../core/payments/IntentJournals.ts"
import { flawOf, type Journal, toPostings } from "../../../core/ledger/Posting.ts"
import { refundJournals } from "../../../core/refunds/RefundJournals.ts"
import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { FEES, type Fees, feesOf, settle, type Settled } from "../../../core/pricing/Price.ts"
import {
  begun,
  type Refunded,
  remaining,
  sharesOf,
  undone,
} from "../../../core/payments/Refunded.ts"
import { fromMajor, MAX_VALUE, type Money, toMajor } from "../../../core/shared/Money.ts"
import { type Chance, makeChance } from "../../../simulator/random/Chance.ts"
import { intentIn, refundIn, T0 } from "../../support/records.ts"

/** The number of histories; the full test plays 1,000,000. */
const HISTORIES = Number(process.env["PAYPORT_TEST_HISTORIES"] ?? 2_000)

const codes = Object.keys(defaultRates.per_dollar)

interface Way {
  readonly from: string
  readonly to: string
  readonly channel: Channel
}

/** Every pair of currencies that there is a rate for, on every channel. */
const ways: ReadonlyArray<Way> = codes.flatMap((from) =>
  codes.flatMap((to) => defaultCatalog.map((channel) => ({ from, to, channel }))),
)

const priced = ({ channel, from, to }: Way, value: number) => {
  const amount = { currency: from, value }
  return Result.map(
    settle({
      amount,
      settlement_currency: to,
      method: "one_time",
      channel,
      usdToPayer: defaultRates.per_dollar[from] ?? "",
      usdToSettlement: defaultRates.per_dollar[to] ?? "",
      currencies,
      fees: FEES,
    }),
    (settled): Priced => ({
      amount,
      settled,
      fees: feesOf({ fees: FEES, method: "one_time", currency: from, settled, channel }),
    }),
  )
}

/** Each journal's and the whole history's rows, added up with integers of any size. */
const totals = (journals: ReadonlyArray<Journal>) => {
  const sums = new Map<string, bigint>()
  for (const { lines } of journals) {
    for (const { amount, currency, ledger_account } of lines) {
      const name = `${ledger_account} ${currency}`
      sums.set(name, (sums.get(name) ?? 0n) + BigInt(amount))
    }
  }
  return (account: string, currency: string) => Number(sums.get(`${account} ${currency}`) ?? 0n)
}

interface Priced {
  readonly amount: Money
  readonly settled: Settled
  readonly fees: Fees
}

/** The payment before and after its settlement. */
const payment = ({ amount, fees, settled }: Priced, status: "captured" | "succeeded") =>
  intentIn(status, { amount, settlement: settled.settlement, fees })

/** Plays a payment and some refunds, of which some fail and some cross the settlement. */
const play = (terms: Priced, chance: Chance) => {
  let intent: PaymentIntent = payment(terms, "captured")
  const journals = [...journalsOf(undefined, intent)]
  const given = { value: 0, settlement: 0, fx_spread: 0, service_fee: 0 }
  const settleAt = chance.int(0, 3)
  const count = chance.int(0, 4)
  for (let n = 0; n <= Math.max(count, settleAt); n++) {
    if (n === settleAt) {
      const refunded: Refunded = intent.refunded
      const after: PaymentIntent = { ...payment(terms, "succeeded"), refunded }
      journals.push(...journalsOf(intent, after))
      intent = after
    }
    const left = remaining(intent)
    if (n >= count || left === 0) continue
    const value = chance.hits(0.3) ? left : chance.int(1, left)
    const shares = sharesOf(intent, value)
    journals.push(...refundJournals({ ...refundIn("pending"), ...shares }, false))
    intent = { ...intent, refunded: begun(intent.refunded, shares) }
    if (chance.hits(0.7)) {
      journals.push(...refundJournals({ ...refundIn("succeeded"), ...shares }, false))
      given.value += shares.amount.value
      given.settlement += shares.settlement.value
      given.fx_spread += shares.fx_spread.value
      given.service_fee += shares.service_fee.value
    } else {
      journals.push(...refundJournals({ ...refundIn("failed"), ...shares }, false))
      intent = { ...intent, refunded: undone(intent.refunded, shares) }
    }
  }
  return { journals, given }
}

/** Checks the books: the payments minus the refunds, to the minor unit. */
const check = (terms: Priced, { given, journals }: ReturnType<typeof play>) => {
  const { amount, fees, settled } = terms
  const { currency: from, value } = amount
  const { currency: to, value: earned } = settled.settlement
  const sum = totals(journals)
  const left = value - given.value
  const wallet = earned - given.settlement
  const spread = settled.fx_spread - given.fx_spread
  const service = fees.service.value - given.service_fee
  const books = [
    sum("channel_clearing", from) - left,
    sum("payer_clearing", from),
    sum("merchant_wallet", to) + wallet,
    sum("refunds", to),
    sum("service_fees", to) + service,
    sum("channel_fees", to) + fees.channel.value,
    sum("fees_due", to) - service - fees.channel.value,
    sum("fx_spread", to) + spread,
    from === to ? 0 : sum("fx", from) + left,
    from === to ? sum("fx", to) : sum("fx", to) - wallet - spread,
  ]
  const rest = [left, wallet, spread, service]
  return (
    books.every((off) => off === 0) &&
    rest.every((part) => part >= 0) &&
    (left > 0 || rest.every((part) => part === 0))
  )
}

/** Returns an amount's worth in another currency's minor units, within a millionth. */
const worth = ({ from, to }: Way, value: number): number => {
  const minor = (code: string) =>
    Number(defaultRates.per_dollar[code]) * 10 ** (currencies.get(code)?.exponent ?? Number.NaN)
  return (value * minor(to)) / minor(from)
}

/**
 * Prices and plays a payment, and describes what is wrong. An amount outside the limits is refused.
 */
const flawIn = (way: Way, value: number, chance: Chance): string | undefined => {
  const terms = priced(way, value)
  const name = `${value} ${way.from} to ${way.to} by ${way.channel.id}`
  if (Result.isFailure(terms)) {
    const { code } = terms.failure
    const worthOf = worth(way, value)
    // An amount worth less than one minor unit is refused, after a spread of at most 1.2 percent.
    const outside = worthOf > MAX_VALUE * 0.999999 || worthOf < 1 / 0.988
    return code === "INVALID_AMOUNT" && outside ? undefined : `${name}: ${code}`
  }
  const played = play(terms.success, chance)
  let n = 0
  const flaw = flawOf(toPostings(played.journals, () => String(n++), T0))
  if (flaw !== undefined) return `${name}: ${flaw}`
  return check(terms.success, played) ? undefined : `${name}: the books are off`
}

describe("no minor unit is made or lost", () => {
  test(
    "by any pair of currencies on any channel, from one minor unit to the most",
    { timeout: 60_000 },
    () => {
      const chance = makeChance("every pair")
      const flaws = ways.flatMap((way) => {
        const middle = Math.round(MAX_VALUE ** chance.next())
        return [1, middle, MAX_VALUE].map((value) => flawIn(way, value, chance))
      })
      expect(flaws.filter((flaw) => flaw !== undefined)).toEqual([])
      expect(flaws).toHaveLength(3 * codes.length ** 2 * defaultCatalog.length)
    },
  )

  test("by any history of a payment and its refunds", { timeout: 3_600_000 }, () => {
    const chance = makeChance("histories")
    const flaws: Array<string> = []
    for (let n = 0; n < HISTORIES; n++) {
      const way = ways[chance.int(0, ways.length - 1)]
      const value = Math.round(MAX_VALUE ** chance.next())
      const flaw = way && flawIn(way, value, chance)
      if (flaw !== undefined) flaws.push(flaw)
    }
    expect(flaws).toEqual([])
  })
})

describe("total_amount", () => {
  /** The decimal form, made of digits alone. */
  const written = (value: number, exponent: number) => {
    const digits = String(value).padStart(exponent + 1, "0")
    const place = digits.length - exponent
    return exponent === 0 ? digits : `${digits.slice(0, place)}.${digits.slice(place)}`
  }
  const exponents = [...new Set([...currencies.values()].map(({ exponent }) => exponent))]

  test("has currencies of 0, 2, 3 and 4 decimals to be read in", () => {
    expect(exponents.toSorted((a, b) => a - b)).toEqual([0, 2, 3, 4])
  })

  test.each([...currencies.values()])("of $code is read to the minor unit", (currency) => {
    const { code, exponent } = currency
    const unit = 10 ** exponent
    for (const value of [1, unit - 1, unit, unit + 1, 123_456_789_012, MAX_VALUE]) {
      const text = written(value, exponent)
      expect(toMajor({ currency: code, value }, currency)).toBe(text)
      expect(fromMajor(text, currency)).toBe(value)
      const finer = exponent === 0 ? `${text}.` : text
      expect(fromMajor(`${finer}0`, currency)).toBe(value)
      expect(fromMajor(`${finer}1`, currency)).toBeUndefined()
    }
    expect(fromMajor(written(MAX_VALUE + 1, exponent), currency)).toBeUndefined()
  })
})
