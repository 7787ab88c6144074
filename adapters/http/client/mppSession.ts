import { isFields } from "./Fields.ts"
import { type MppChallenge, requestOf } from "./MppChallenge.ts"
import { formatCredential } from "./MppCredential.ts"
import type { PaymentDemand } from "./PaymentDemand.ts"
import type { Fetch } from "./present.ts"
import { discard, readJson } from "./readJson.ts"
import { sendWithin } from "./sendWithin.ts"

/** A deposit from which requests are paid. */
interface Session {
  readonly due: PaymentDemand
  readonly challenge: MppChallenge
  readonly price: number
  /** The address at which it was opened, and which closes it. */
  readonly url: string
  drawn: number
}

/**
 * Some sellers have not closed their sessions, so that their deposits are not refunded yet. All
 * others are closed. Closing again asks those that are left.
 */
export class SessionsLeftOpen extends Error {
  override readonly name = "SessionsLeftOpen"
  /** The sellers' origins. */
  readonly origins: ReadonlyArray<string>

  constructor(left: ReadonlyArray<{ readonly origin: string; readonly cause: unknown }>) {
    const origins = [...new Set(left.map(({ origin }) => origin))]
    super(`Not closed: the sessions at ${origins.join(", ")}.`, {
      cause: new AggregateError(left.map(({ cause }) => cause)),
    })
    this.origins = origins
  }
}

/** Whether a challenge requires a session with the deposit in the 402's body. */
export const asksForDeposit = (challenge: MppChallenge, { amount }: PaymentDemand): boolean => {
  const { amount: price, currency, methodDetails } = requestOf(challenge)
  const { deposit } = isFields(methodDetails) ? methodDetails : {}
  return (
    typeof price === "string" &&
    /^[1-9]\d{0,12}$/.test(price) &&
    Number(price) <= amount.value &&
    deposit === String(amount.value) &&
    currency === amount.currency.toLowerCase()
  )
}

const credentialOf = ({ challenge, due: { id, token } }: Session, asked: object): string =>
  formatCredential({ challenge, payload: { payment_intent: id, token, ...asked } })

/** Returns the amount drawn before, as the refusal of a draw states it. */
const drawnIn = async (response: Response, within: number): Promise<number | undefined> => {
  if (response.status !== 402) return undefined
  const body = await readJson(response, within).catch(() => undefined)
  const drawn: unknown = isFields(body) ? body["drawn"] : undefined
  return typeof drawn === "number" && Number.isSafeInteger(drawn) ? drawn : undefined
}

/** The open sessions, one per origin. The requests of an origin are sent one after the other. */
export const mppSessions = (fetch: Fetch, patience: number) => {
  const open = new Map<string, Session>()
  /** Sessions with less left than a price, in whose place others were opened. */
  const replaced = new Set<Session>()
  const turns = new Map<string, Promise<unknown>>()

  const send = async (session: Session, request: Request): Promise<Response> => {
    const spent = session.drawn + session.price
    const again = new Request(request.clone(), { redirect: "manual" })
    again.headers.set("Authorization", credentialOf(session, { action: "draw", spent }))
    const response = await fetch(again)
    if (response.ok) session.drawn = spent
    return response
  }

  /** Draws the request from its origin's session; undefined if the session has too little left. */
  const draw = async (request: Request): Promise<Response | undefined> => {
    const { origin } = new URL(request.url)
    const session = open.get(origin)
    if (session === undefined) return undefined
    const has = () => session.drawn + session.price <= session.due.amount.value
    if (!has()) return undefined
    const response = await send(session, request)
    // After a lost answer, more has been drawn than is known here.
    const drawn = await drawnIn(response, patience)
    if (drawn === undefined || drawn <= session.drawn) return response
    session.drawn = drawn
    discard(response)
    return has() ? send(session, request) : undefined
  }

  const closeOne = async (session: Session): Promise<void> => {
    const { origin } = new URL(session.url)
    const headers = { Authorization: credentialOf(session, { action: "close" }) }
    const request = new Request(session.url, { headers, redirect: "manual" })
    const response = await sendWithin(fetch, request, patience)
    discard(response)
    if (response.status !== 200) throw new Error(`${origin} answered ${response.status}.`)
    replaced.delete(session)
    if (open.get(origin) === session) open.delete(origin)
  }

  return {
    /** Records a paid deposit. Returns the credential that draws the first request. */
    opened: (challenge: MppChallenge, due: PaymentDemand, url: string): string => {
      const price = Number(requestOf(challenge)["amount"])
      const session = { challenge, due, price, url, drawn: price }
      const { origin } = new URL(url)
      const before = open.get(origin)
      if (before !== undefined && before.drawn < before.due.amount.value) replaced.add(before)
      open.set(origin, session)
      return credentialOf(session, { action: "draw", spent: price })
    },
    draw: (request: Request): Promise<Response | undefined> => {
      const { origin } = new URL(request.url)
      const next = (turns.get(origin) ?? Promise.resolve()).then(() => draw(request))
      turns.set(
        origin,
        next.catch(() => {}),
      )
      return next
    },
    /** Closes all sessions, which refunds the rest of their deposits. */
    close: async (): Promise<void> => {
      const failures = await Promise.all(
        [...replaced, ...open.values()].map(async (session) =>
          closeOne(session).then(
            () => [],
            (cause: unknown) => [{ origin: new URL(session.url).origin, cause }],
          ),
        ),
      )
      const left = failures.flat()
      if (left.length > 0) throw new SessionsLeftOpen(left)
    },
  }
}
