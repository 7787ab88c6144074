import { PaymentRefused } from "./BudgetTracker.ts"
import { makeTurns } from "./inTurn.ts"
import { keepNewest } from "./keepNewest.ts"
import type { MppChallenge } from "./MppChallenge.ts"
import {
  type Deposit,
  depositKey,
  priceIn,
  readDrawRefusal,
  sessionCredential,
} from "./MppDeposit.ts"
import { isPuzzled, makeDraws } from "./mppDraws.ts"
import { isSafe, makePlaces } from "./MppPlaces.ts"
import {
  type Draw,
  dropLapsed,
  hasRoom,
  isUncertain,
  mayBePaidLater,
  mayHaveRest,
  promisedBy,
  type Session,
} from "./MppSessionState.ts"
import { type Fetch, PaymentUnresolved } from "./present.ts"
import { discard } from "./readJson.ts"
import { sendWithin } from "./sendWithin.ts"
import { PaymentDeclined } from "./Wallet.ts"

/** Where a deposit was required. */
type Place = Pick<Deposit, "due" | "methods" | "url"> & { readonly origin: string }

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

/** The most credentials that are remembered. */
const MOST = 1_000

/** Returns a session of a deposit that is about to be paid. */
const newSession = (challenge: MppChallenge, place: Place): Session => ({
  ...place,
  challenge,
  key: depositKey(place.origin, challenge),
  drawn: 0,
  proven: 0,
  isProven: false,
  isPaid: false,
  wallet: "unknown",
  isRefused: false,
  promised: new Set(),
})

/** Opens sessions, and promises draws from those that are open. */
const makeOpenings = (patience: number, drawing: ReturnType<typeof makeTurns>) => {
  /** The sessions to draw from, by key. */
  const current = new Map<string, Session>()
  /** All sessions that may have a rest, also of deposits that may or may not be paid. */
  const unclosed = new Set<Session>()
  /** The draws by their credentials. */
  const draws = new Map<string, Draw>()
  /** The payments of deposits whose wallet has given no clear answer. */
  const payments = new WeakMap<Session, () => Promise<void>>()
  const opening = makeTurns()

  /** Returns a credential that stands for a new draw. The total that is sent is counted then. */
  const freshCredential = (session: Session, spent: number): string => {
    const credential = sessionCredential(session, { action: "draw", spent })
    return draws.has(credential) ? freshCredential(session, spent + 1) : credential
  }

  const promise = (session: Session, price: number): string => {
    dropLapsed(session)
    const credential = freshCredential(session, session.drawn + promisedBy(session) + price)
    const draw = { session, price, isAsked: true, until: Date.now() + patience }
    session.promised.add(draw)
    keepNewest(draws, credential, draw, MOST)
    return credential
  }

  /** Keeps a session that is paid, or may be: no other deposit is paid in its place. */
  const keep = (session: Session): void => {
    unclosed.add(session)
    current.set(session.key, session)
  }

  const open = async (session: Session, pay: () => Promise<void>): Promise<Session> => {
    for (const one of unclosed) if (!mayHaveRest(one)) unclosed.delete(one)
    try {
      await pay()
    } catch (error) {
      if (error instanceof PaymentUnresolved) {
        payments.set(session, pay)
        keep(session)
      }
      throw error
    }
    session.wallet = "paid"
    keep(session)
    return session
  }

  /**
   * Asks the wallet again for a deposit of which it is unknown whether it is paid. Its seller
   * judges a draw from it, whatever the wallet answers: a refusal of the repetition says nothing
   * about the first attempt.
   */
  const payAgain = async (session: Session): Promise<void> => {
    try {
      await payments.get(session)?.()
      session.wallet = "paid"
    } catch (error) {
      if (error instanceof PaymentDeclined) session.wallet = "declined"
    }
  }

  /**
   * Returns the credential for a challenge, of an open session or of one that `pay` pays. If its
   * outcome is unknown, `pay` is called again before another deposit is paid.
   */
  const credential = (challenge: MppChallenge, place: Place, pay: () => Promise<void>) => {
    const key = depositKey(place.origin, challenge)
    const price = priceIn(challenge) ?? place.due.amount.value
    return opening(key, async () => {
      const before = current.get(key)
      // A request in progress may turn out to be free.
      if (before !== undefined && !hasRoom(before, price)) {
        await drawing(before.due.id, () => Promise.resolve())
      }
      const session = current.get(key)
      const isUsable = session !== undefined && hasRoom(session, price)
      if (isUsable && isUncertain(session)) await payAgain(session)
      return promise(isUsable ? session : await open(newSession(challenge, place), pay), price)
    })
  }

  return { credential, current, draws, unclosed }
}

/**
 * The sessions of a payer. Each pays for requests of one origin, realm, seller, service and
 * currency, one request after the other. Deposits of the same are opened one after the other, too,
 * so that concurrent requests pay one.
 */
export const mppSessions = (fetch: Fetch, patience: number) => {
  const places = makePlaces()
  const drawing = makeTurns()
  const take = makeDraws(fetch, patience, places, drawing)
  const { credential, current, draws, unclosed } = makeOpenings(patience, drawing)

  /**
   * Sends a request again without the credential that its server probably does not know. If the
   * server requires just that draw, it has known it: the first response stands, as a drawn one
   * whose receipt was lost. The client would otherwise pay again.
   */
  const sendBare = async (request: Request, draw: Draw, first: Response): Promise<Response> => {
    const { price, session, spent = 0 } = draw
    const response = await fetch(request)
    const isDue = response.status === 402 && !response.redirected
    const refusal = isDue ? await readDrawRefusal(response, session, patience) : undefined
    if (refusal?.price === price) {
      session.drawn = Math.max(session.drawn, spent)
      places.paid(request, { key: session.key, price, isSilent: true })
      discard(response)
      return first
    }
    discard(first)
    return response
  }

  /** Pays a request without a credential from the session that it probably belongs to. */
  const guess = async (request: Request): Promise<Response | undefined> => {
    const { key, price } = places.priceOf(request) ?? { key: "", price: 0 }
    const session = current.get(key)
    if (session === undefined || !hasRoom(session, price) || isUncertain(session)) return undefined
    const isKnown = places.knows(request)
    const draw: Draw = { session, price, isAsked: false, until: Infinity }
    const response = await take(draw, request)
    if (isKnown || !isPuzzled(response)) return response
    // Other methods may have been carried out.
    return isSafe(request) ? sendBare(request, draw, response) : response
  }

  /**
   * Asks the seller to close a session. One whose wallet has declined the deposit, or whose deposit
   * has expired without a clear answer, is over if its seller does not know of a payment either.
   */
  const closeOne = async (session: Session): Promise<void> => {
    const { key, methods, origin, url } = session
    const headers = { Authorization: sessionCredential(session, { action: "close" }) }
    const until = Date.now() + patience
    let status = 0
    for (const method of methods) {
      const request = new Request(url, { headers, method, redirect: "manual" })
      const response = await sendWithin(fetch, request, until - Date.now())
      discard(response)
      status = response.status
      if (status === 200) break
    }
    const isUnpaid = status === 402 && isUncertain(session) && !mayBePaidLater(session)
    if (status !== 200 && !isUnpaid) throw new Error(`${origin} answered ${status}.`)
    unclosed.delete(session)
    if (current.get(key) === session) current.delete(key)
  }

  return {
    credential,
    /**
     * Sends a request that a session pays: one with a credential of this payer, or without any
     * where others were paid. Returns undefined if it is to be sent as it is.
     */
    draw: async (request: Request): Promise<Response | undefined> => {
      const shown = request.headers.get("Authorization")
      if (shown === null) return guess(request)
      const draw = draws.get(shown)
      if (draw === undefined) return undefined
      if (new URL(request.url).origin === draw.session.origin) return take(draw, request)
      throw new PaymentRefused("host", "The credential belongs to a deposit at another origin.")
    },
    /** Closes all sessions, which refunds the rest of their deposits. */
    close: async (): Promise<void> => {
      const failures = await Promise.all(
        [...unclosed].filter(mayHaveRest).map(async (session) =>
          closeOne(session).then(
            () => [],
            (cause: unknown) => [{ origin: session.origin, cause }],
          ),
        ),
      )
      const left = failures.flat()
      if (left.length > 0) throw new SessionsLeftOpen(left)
    },
  }
}
