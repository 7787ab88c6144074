import { SHOWN_STATUSES } from "../../core/payments/PaymentIntent.ts"
import type { Play } from "../../simulator/scenarios/Play.ts"
import type { Exchange } from "./Exchange.ts"
import { routeOf } from "./routes.ts"
import { type Intent, intentsOf, readAction, readCapture, readId, readRefund } from "./views.ts"

/** A refund that was requested; `at` counts from the beginning of the recording. */
export type SeenRefund = Omit<Play["refunds"][number], "after_ms"> & { readonly at: number }

/** The payee's action on a payment; `captures` is the captured part, if it is not all. */
interface SeenEnding {
  readonly act: Play["payee"]["act"]
  readonly at: number
  readonly captures?: number
}

/** The known facts of a payment. */
export interface SeenPayment {
  readonly flow: Play["flow"]
  readonly by: Play["by"]
  readonly buyer: number
  readonly keyed: boolean
  /** When it was requested, counted from the beginning of the recording. */
  readonly at: number
  /** The payment as it was last, in any response about it. */
  shown: Intent
  payer: Play["payer"]["act"] | undefined
  payee: SeenEnding | undefined
  readonly refunds: Array<SeenRefund>
}

/** The actions of payers' wallets in a sandbox. */
const ACTS: { readonly [action: string]: Play["payer"]["act"] } = {
  scan: "scans",
  authorize: "pays",
  pay: "pays",
  settle: "pays",
  reject: "rejects",
  insufficient_balance: "lacks_funds",
  close: "is_closed_out",
}

const ENDINGS: { readonly [ending: string]: Play["payee"]["act"] } = {
  capture: "captures",
  void: "voids",
  cancel: "cancels",
}

/** Not recorded by itself, since the times of payments show it. */
const TOLD_BY_TIMES = "POST /v1/sandbox/clock/advance"
const SUBSCRIBES = "POST /v1/service-manifests/:id/subscribe"

const FLOWS: { readonly [route: string]: Play["flow"] } = {
  "POST /v1/payment-intents": "request_payment",
  "POST /v1/payments/one-time": "one_time_pay",
  "POST /v1/payments": "one_time_pay",
}

const ENDS = SHOWN_STATUSES.indexOf("succeeded")

/** How far a payment has come. A status that this version does not know is taken as the last. */
const progressOf = ({ status }: Intent): number => {
  const place = SHOWN_STATUSES.findIndex((known) => known === status)
  return place === -1 ? ENDS : Math.min(place, ENDS)
}

/** Whether a state was shown before the other one: a slow response may end after a later one. */
const isOlder = (one: Intent, other: Intent): boolean => progressOf(one) < progressOf(other)

const idIn = (path: string): string => /\/payment-intents\/([^/]+)/.exec(path)?.[1] ?? ""

/** Makes payments from a proxy's exchanges, and counts the exchanges that belong to none. */
export class Recording {
  readonly #payments = new Map<string, SeenPayment>()
  readonly #callers = new Map<string, number>()
  readonly #left = new Map<string, number>()
  readonly #subscriptions = new Set<string>()
  readonly #refunds = new Set<string>()

  get payments(): ReadonlyArray<SeenPayment> {
    return [...this.#payments.values()]
  }

  get subscriptions(): number {
    return this.#subscriptions.size
  }

  /** Returns the actions that are in no scenario, with their counts. */
  get left(): ReadonlyMap<string, number> {
    return this.#left
  }

  /** Adds an exchange that has ended. */
  add(exchange: Exchange): void {
    const { answered, method, path, status } = exchange
    for (const intent of intentsOf(answered)) {
      const payment = this.#payments.get(intent.id)
      if (payment !== undefined && !isOlder(intent, payment.shown)) payment.shown = intent
    }
    const route = routeOf(method, path)
    if (route === undefined) this.leave("requests of other interfaces, such as pages and tools")
    else if (method === "GET") this.leave("requests that only read")
    else if (status >= 400) this.leave(`${route}, refused with ${status}`)
    // The first answer may have been lost on its way. What is known already is not taken again.
    else if (this.#take(route, exchange)) return
    else if (exchange.replayed) this.leave(`${route}, answered before under the same key`)
    else this.leave(route)
  }

  /** Counts an action that no scenario has. */
  leave(what: string): void {
    this.#left.set(what, (this.#left.get(what) ?? 0) + 1)
  }

  /** Adds the exchange if it is part of a payment; returns whether it is. */
  #take(route: string, exchange: Exchange): boolean {
    const flow = FLOWS[route]
    if (flow !== undefined) return this.#create(flow, exchange)
    if (route === TOLD_BY_TIMES) return true
    if (route === SUBSCRIBES) return this.#subscribe(exchange)
    const ending = ENDINGS[route.split("/").at(-1) ?? ""]
    if (ending !== undefined && idIn(exchange.path) !== "") return this.#end(ending, exchange)
    if (route.endsWith("/simulate")) return this.#act(exchange)
    return /\/refunds?$/.test(route) && this.#refund(exchange)
  }

  #subscribe({ answered }: Exchange): boolean {
    const id = readId(answered) ?? `unread ${this.#subscriptions.size}`
    if (this.#subscriptions.has(id)) return false
    this.#subscriptions.add(id)
    return true
  }

  #create(flow: Play["flow"], exchange: Exchange): boolean {
    const [shown] = intentsOf(exchange.answered)
    if (shown === undefined || this.#payments.has(shown.id)) return false
    const { at, isBuyer, keyed } = exchange
    this.#payments.set(shown.id, {
      flow,
      by: isBuyer || flow === "one_time_pay" ? "buyer" : "seller",
      buyer: this.#numberOf(exchange) % 4,
      keyed,
      at,
      shown,
      payer: undefined,
      payee: undefined,
      refunds: [],
    })
    return true
  }

  #numberOf({ caller }: Exchange): number {
    const number = this.#callers.get(caller) ?? this.#callers.size
    this.#callers.set(caller, number)
    return number
  }

  #end(act: Play["payee"]["act"], { asked, at, path }: Exchange): boolean {
    const payment = this.#payments.get(idIn(path))
    if (payment === undefined || payment.payee !== undefined) return false
    const wanted = act === "captures" ? readCapture(asked) : {}
    if (wanted === undefined) return false
    const { amount: part } = wanted
    const whole = payment.shown.amount.value
    const captures = part && part.value < whole ? { captures: part.value } : {}
    payment.payee = { act, at, ...captures }
    return true
  }

  #act({ asked, path }: Exchange): boolean {
    const payment = this.#payments.get(idIn(path))
    const act = ACTS[readAction(asked)?.action ?? ""]
    if (payment === undefined || act === undefined) return false
    if (payment.payer === undefined || payment.payer === "scans") payment.payer = act
    return true
  }

  #refund({ answered, asked, at, keyed, path }: Exchange): boolean {
    const id = readId(answered)
    if (id !== undefined && this.#refunds.has(id)) return false
    const wanted = readRefund(asked)
    const payment = this.#payments.get(wanted?.payment_intent ?? idIn(path))
    if (wanted === undefined || payment === undefined) return false
    const { amount, revoke } = wanted
    if (id !== undefined) this.#refunds.add(id)
    if ((revoke?.targets ?? []).length > 0) this.leave("what refunds revoke by name")
    const revokes = revoke?.auto_revoke === false ? "nothing" : "by_policy"
    payment.refunds.push({ at, keyed, revokes, value: amount?.value ?? null })
    return true
  }
}
