import { type BudgetTracker, PaymentRefused } from "./BudgetTracker.ts"
import { chargeOnce } from "./chargeOnce.ts"
import { makeClient } from "./client.ts"
import { type Fields, isFields } from "./Fields.ts"
import { type MppChallenge, requestOf } from "./MppChallenge.ts"
import { formatCredential } from "./MppCredential.ts"
import { PERIODS, type Plan } from "./MppPeriod.ts"
import { PayportError } from "./PayportError.ts"
import type { ClientOptions } from "./RequestOptions.ts"
import type { Money, PaymentIntent } from "./Resources.ts"
import type { Wallet } from "./Wallet.ts"

/** The means by which a subscriber pays. */
export interface Paying {
  readonly account: Pick<ClientOptions, "apiKey" | "baseUrl">
  readonly wallet: Wallet
  readonly tracker: BudgetTracker
  /** Time limit until a payment is known, in milliseconds. */
  readonly patience: number
}

/** A plan that a challenge requires. */
interface Asked {
  readonly service_id: string
  readonly plan_id: string
}

/** A subscription, and the origin that first required it. */
interface Held {
  readonly id: string
  readonly origin: string
}

const refuse = (message: string) => new PaymentRefused("malformed", message)

const POLL = 500

const detailsOf = (error: unknown, code: PayportError["code"]): Fields | undefined =>
  error instanceof PayportError && error.code === code && isFields(error.details)
    ? error.details
    : undefined

const text = (value: unknown): string => (typeof value === "string" ? value : "")

const askedIn = (challenge: MppChallenge): Asked => {
  const { methodDetails } = requestOf(challenge)
  const { plan_id, service_id } = isFields(methodDetails) ? methodDetails : {}
  return { service_id: text(service_id), plan_id: text(plan_id) }
}

/** Whether a challenge agrees with the plan's price and period. */
const isPlan = (challenge: MppChallenge, plan: Plan): boolean => {
  const { amount, currency, periodCount, periodUnit } = requestOf(challenge)
  const { count, unit } = PERIODS[plan.interval]
  return (
    amount === String(plan.amount) &&
    currency === plan.currency.toLowerCase() &&
    periodUnit === unit &&
    periodCount === String(count)
  )
}

/** Pays the periods of subscriptions, and proves them. */
const makePeriods = ({ account, patience, tracker, wallet }: Paying) => {
  const { invoices, subscriptions } = makeClient(account)
  const charge = chargeOnce(tracker)

  /** Pays the reserved amount of one period, unless the account's install has paid it. */
  const pay = async (payment: PaymentIntent, amount: Money, origin: string) => {
    const { channel, deeplink, expires_at, id, status } = payment
    // A payment by an install has no link, and a completed one needs none.
    if (status === "completed" || typeof deeplink !== "string") return
    const order = { id, amount, channel: channel ?? "", qr_uri: deeplink, expires_at, origin }
    await wallet.pay(order)
  }

  const payInvoice = async (invoice: string, origin: string) => {
    const { amount } = await invoices.get(invoice)
    await charge(invoice, amount, async (options) =>
      pay(await invoices.pay(invoice, options), amount, origin),
    )
  }

  /** Subscribes, and pays the first period. Resolves with the subscription's id. */
  const begin = async (service_id: string, plan: Plan, origin: string): Promise<string> => {
    const { interval, plan_id } = plan
    const amount: Money = { currency: plan.currency, value: plan.amount }
    const input = { plan_id, interval, amount }
    return charge(`${service_id} ${plan_id} ${interval}`, amount, async (options) => {
      const { id, payment } = await subscriptions.create(service_id, input, options)
      await pay(payment, amount, origin)
      return id
    })
  }

  /** Proves the subscription. Pays its open invoice once, and waits until the payment is known. */
  const prove = async (id: string, challenge: MppChallenge, origin: string, isPaid: boolean) => {
    const until = Date.now() + patience
    for (let paid = isPaid; ;) {
      try {
        return await subscriptions.prove(id, { challenge: challenge.id })
      } catch (error) {
        const { invoice, status } = detailsOf(error, "PAYMENT_REQUIRED") ?? {}
        const waits = status === "unpaid" || status === "lapsed"
        if (!waits || Date.now() + POLL > until) throw error
        if (!paid && typeof invoice === "string") {
          paid = true
          await payInvoice(invoice, origin)
        } else {
          await new Promise((resolve) => {
            setTimeout(resolve, POLL)
          })
        }
      }
    }
  }

  return { begin, prove }
}

/**
 * Answers challenges for subscriptions with an account of payport. It subscribes the account to the
 * plan if needed, pays the open invoice, and proves the subscription. A period is paid once,
 * however often it is required. Resolves with the value of `Authorization`.
 */
export const mppSubscriber = (paying: Paying) => {
  const { services } = makeClient(paying.account)
  const { begin, prove } = makePeriods(paying)
  const held = new Map<string, Held>()

  /** Returns the account's subscription to the plan, and makes it if there is none. */
  const subscribe = async (
    { plan_id, service_id }: Asked,
    challenge: MppChallenge,
    origin: string,
  ) => {
    const { pricing } = await services.get(service_id)
    const plan = pricing.subscription?.find((one) => one.plan_id === plan_id)
    if (plan === undefined || !isPlan(challenge, plan)) {
      throw refuse("The price or the period of the challenge is not the plan's.")
    }
    try {
      return { id: await begin(service_id, plan, origin), isPaid: true }
    } catch (error) {
      const { subscription } = detailsOf(error, "ALREADY_SUBSCRIBED") ?? {}
      if (typeof subscription !== "string") throw error
      return { id: subscription, isPaid: false }
    }
  }

  const meet = async (challenge: MppChallenge, origin: string): Promise<string> => {
    const asked = askedIn(challenge)
    const name = `${asked.service_id} ${asked.plan_id}`
    const known = held.get(name)
    if (known !== undefined && known.origin !== origin) {
      throw refuse(`The subscription belongs to ${known.origin}. It cannot be used at ${origin}.`)
    }
    const { id, isPaid } = known
      ? { id: known.id, isPaid: false }
      : await subscribe(asked, challenge, origin)
    held.set(name, { id, origin })
    const proof = await prove(id, challenge, origin, isPaid).catch((error: unknown) => {
      // After a subscription has ended, the next request may make a new one.
      if (detailsOf(error, "PAYMENT_REQUIRED")?.["status"] === "cancelled") held.delete(name)
      throw error
    })
    const { expires_at, subscription, token } = proof
    return formatCredential({ challenge, payload: { subscription, token, expires_at } })
  }

  // One after the other, so that concurrent requests do not both pay.
  let last: Promise<unknown> = Promise.resolve()
  return (challenge: MppChallenge, origin: string): Promise<string> => {
    const next = last.then(() => meet(challenge, origin))
    last = next.catch(() => {})
    return next
  }
}
