import { askedAt } from "./askedAt.ts"
import {
  decodeChallenge,
  METHOD,
  type MppChallenge,
  parseChallenges,
  requestText,
} from "./MppChallenge.ts"
import { isFields } from "./Fields.ts"
import { type Budget, BudgetTracker, PaymentRefused } from "./BudgetTracker.ts"
import {
  asksFor,
  namedPayment,
  PAID_INTENTS,
  type PaymentDemand,
  readPaymentDemand,
} from "./PaymentDemand.ts"
import { type Fetch, PATIENCE, payOrder, present } from "./present.ts"
import { type Demanded, mppCharges } from "./mppCharges.ts"
import { isOfTool, mppToolBuyer } from "./mppToolBuyer.ts"
import { keepNewest } from "./keepNewest.ts"
import { asksForDeposit } from "./MppDeposit.ts"
import { isSafe } from "./MppPlaces.ts"
import { mppSessions } from "./mppSession.ts"
import { mppSubscriber } from "./mppSubscriber.ts"
import { obstacleTo, toRepeat } from "./repetition.ts"
import type { ClientOptions } from "./RequestOptions.ts"
import type { Wallet } from "./Wallet.ts"

/** A method of the Machine Payments Protocol, in the form of `mppx`. */
export interface MppMethod {
  readonly name: string
  readonly intent: string
  /** Pays, and returns the value of `Authorization`. */
  readonly createCredential: (parameters: {
    readonly challenge: { readonly [parameter: string]: unknown }
  }) => Promise<string>
}

/** Connects a client of the Machine Payments Protocol to payport. */
export interface MppPayer {
  /**
   * The `fetch` for the client. It records the tokens in the bodies of 402s, and shows a credential
   * until it is accepted.
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** The methods to configure. */
  readonly methods: ReadonlyArray<MppMethod>
  /**
   * Closes the open sessions, which refunds the rest of their deposits. Each seller has `patience`
   * for its answer. Rejects with `SessionsLeftOpen` after all have answered or were late, if some
   * have not closed.
   */
  readonly close: () => Promise<void>
}

/** The options of a payer. */
export interface MppPayerOptions {
  /**
   * Time limit for a proof to be accepted, for a 402 to end, and for a session to be closed, in
   * milliseconds; 30,000 by default.
   */
  readonly patience?: number
  /**
   * The payer's account with payport. It subscribes (intent `subscription`), and begins payments
   * for tools (MCP).
   */
  readonly account?: Pick<ClientOptions, "apiKey" | "baseUrl">
}

/** The most payments that are remembered, required ones and made ones. */
const MOST = 100

/** Reads a challenge in the form of `mppx`, with its request decoded. */
const readChallenge = (challenge: { readonly [parameter: string]: unknown }) => {
  const { request } = challenge
  return isFields(request)
    ? decodeChallenge({ ...challenge, request: requestText(request) })
    : undefined
}

const refuse = (message: string) => new PaymentRefused("malformed", message)

/** Throws `PaymentRefused` if the request cannot be sent again with a proof. */
const checkRepeatable = ({ obstacle }: Demanded): void => {
  if (obstacle === undefined) return
  const message = `The request cannot be sent again with a proof of payment. ${obstacle}`
  throw new PaymentRefused("not_repeatable", message)
}

/** Returns a function that calls `first`, and `again` at each later call. */
const repeatable = (first: () => Promise<void>, again: () => Promise<void>) => {
  let next = first
  return async (): Promise<void> => {
    const now = next
    next = again
    await now()
  }
}

const asksForAmount = (challenge: MppChallenge, { amount }: PaymentDemand): boolean =>
  asksFor(challenge, amount)

/** Returns the methods that the response may answer: redirects change some to GET, or do not. */
const methodsAt = (request: Request, { redirected }: Response): ReadonlyArray<string> =>
  redirected && !isSafe(request) ? ["GET", request.method] : [request.method]

/** A request, its response, and why it cannot be repeated. */
interface Asked {
  readonly request: Request
  readonly response: Response
  readonly obstacle: string | undefined
}

/** Records what a response asks for, and who asks. */
const note = async (
  { obstacle, request, response }: Asked,
  demands: Map<string, Demanded>,
  origins: Map<string, string>,
  patience: number,
): Promise<void> => {
  const { headers, status } = response
  const isDue = status === 402 && namedPayment(headers) !== null
  const asked = parseChallenges(headers.get("WWW-Authenticate") ?? "")
  if (!isDue && !asked.some(({ method }) => method === METHOD)) return
  const { href: url, origin } = askedAt(request.url, response)
  const demand = isDue ? await readPaymentDemand(response, patience) : undefined
  if (typeof demand === "object") {
    const methods = methodsAt(request, response)
    keepNewest(demands, demand.id, { due: demand, origin, url, methods, obstacle }, MOST)
  }
  for (const { id } of asked) keepNewest(origins, id, origin, MOST)
}

/** Answers challenges for subscriptions, for the origins that have sent them. */
const subscriptionMethod = (
  subscribe: ReturnType<typeof mppSubscriber>,
  origins: ReadonlyMap<string, string>,
): MppMethod => ({
  name: METHOD,
  intent: "subscription",
  createCredential: async ({ challenge }) => {
    const read = readChallenge(challenge)
    const origin = read && origins.get(read.id)
    if (read === undefined || origin === undefined) {
      throw refuse("This client has received no 402 with this subscription.")
    }
    return subscribe(read, origin)
  },
})

/**
 * Lets a client of the Machine Payments Protocol pay with a wallet, within a budget:
 * `Mppx.create({ fetch: payer.fetch, methods: payer.methods, polyfill: false })`. The 402's body
 * names the payment, and its challenge must agree. One payment is made per challenge, however often
 * the client asks for its credential. After a payment of unknown outcome, the next request for the
 * same thing asks the wallet for that payment again.
 *
 * Requests reject with `PaymentRefused` or the wallet's `PaymentDeclined` if nothing was paid, and
 * with `PaymentUnresolved`, which holds the proof, if a payment was made and its credential was not
 * accepted. A 402 that was redirected from another origin is refused (`host`).
 */
export const mppPayer = (
  fetch: Fetch,
  wallet: Wallet,
  budget: Budget,
  { account, patience = PATIENCE }: MppPayerOptions = {},
): MppPayer => {
  const tracker = new BudgetTracker(budget)
  const sessions = mppSessions(fetch, patience)
  const demands = new Map<string, Demanded>()
  const paid = new Map<string, Promise<string>>()
  const sent = new Map<string, PaymentDemand>()
  const charge = mppCharges(wallet, tracker, (made, due) => keepNewest(sent, made, due, MOST))
  const origins = new Map<string, string>()

  const pay = async (demand: Demanded, challenge: { readonly [parameter: string]: unknown }) => {
    const read = readChallenge(challenge)
    const { due, origin } = demand
    const isSession = read?.intent === "session"
    const isAsked = isSession ? asksForDeposit : asksForAmount
    if (read === undefined || !isAsked(read, due)) {
      throw refuse("The header and the body of the 402 require different payments.")
    }
    if (!isSession) return charge(demand, read)
    const order = repeatable(
      () => payOrder(wallet, due, origin, tracker.reserve(due.amount)),
      () => payOrder(wallet, due, origin, () => {}),
    )
    return sessions.credential(read, demand, order)
  }

  const buyTool = account && mppToolBuyer({ account, patience, tracker, wallet })
  const createCredential: MppMethod["createCredential"] = async ({ challenge }) => {
    const request = challenge["request"]
    const details = isFields(request) ? request["methodDetails"] : undefined
    const tool = readChallenge(challenge)
    if (buyTool !== undefined && tool !== undefined && isOfTool(details)) {
      // Its realm would name a server that has not asked.
      if (origins.has(tool.id)) throw refuse("A 402 of an address asks for a tool's payment.")
      return buyTool(tool)
    }
    const id = String(isFields(details) ? details["payment_intent"] : undefined)
    const demand = demands.get(id)
    if (demand === undefined) throw refuse("This client has received no 402 with this payment.")
    checkRepeatable(demand)
    const made = paid.get(id) ?? pay(demand, challenge)
    keepNewest(paid, id, made, MOST)
    return made.catch((error: unknown) => {
      // Another attempt is allowed. It asks for the same payment while that may be made.
      paid.delete(id)
      throw error
    })
  }

  const subscribe = account && mppSubscriber({ account, patience, tracker, wallet })
  return {
    methods: [
      ...[...PAID_INTENTS, "session"].map((intent) => ({ name: METHOD, intent, createCredential })),
      ...(subscribe === undefined ? [] : [subscriptionMethod(subscribe, origins)]),
    ],
    close: sessions.close,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const shown = sent.get(request.headers.get("Authorization") ?? "")
      if (shown !== undefined) {
        const { signal } = request
        const again = () => new Request(request.clone(), { redirect: "manual", signal })
        return present(fetch, again, shown, patience)
      }
      const response = (await sessions.draw(request)) ?? (await fetch(request))
      const obstacle = obstacleTo(input, init, response)
      await note({ request, response, obstacle }, demands, origins, patience)
      return toRepeat(input, response)
    },
  }
}
