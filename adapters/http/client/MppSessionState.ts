import type { Deposit } from "./MppDeposit.ts"

/** A deposit from which requests are paid. */
export interface Session extends Deposit {
  readonly origin: string
  /** What the deposit belongs to: see `depositKey`. */
  readonly key: string
  /** The total drawn, as far as the seller's answers say. */
  drawn: number
  /** The largest total that a receipt proves. */
  proven: number
  /** Whether a draw has passed. */
  isProven: boolean
  /** Whether its seller's answers say that it is paid. Until then it may be in progress. */
  isPaid: boolean
  /** What the wallet said last. If it declines a repetition, its first attempt may have paid. */
  wallet: "paid" | "unknown" | "declined"
  /** Whether its seller refuses draws from it. It is still to be closed. */
  isRefused: boolean
  /** The draws that are promised or in progress. */
  readonly promised: Set<Draw>
}

/** A draw of a request's price, which is promised to a request. */
export interface Draw {
  readonly session: Session
  readonly price: number
  /** Whether it answers a 402 of the endpoint, which is then not free. */
  readonly isAsked: boolean
  /** Until when the amount is kept for the request. */
  until: number
  /** The total that was shown last. */
  spent?: number
}

/** Whether the deposit is not proven to be drawn as a whole. A refusal's total proves nothing. */
export const mayHaveRest = ({ due, proven }: Session): boolean => proven < due.amount.value

/** Whether its seller decides whether it is paid, since its wallet's answers do not. */
export const isUncertain = ({ isPaid, wallet }: Session): boolean => !isPaid && wallet !== "paid"

/**
 * Whether the deposit may be paid later by what its wallet has begun: it has not said that it has
 * paid, nor that it will not, and the payment has not expired. A seller refuses draws until then.
 */
export const mayBePaidLater = (session: Session): boolean =>
  isUncertain(session) &&
  session.wallet === "unknown" &&
  Date.parse(session.due.expires_at) > Date.now()

/** Returns the amount that is kept for requests. */
export const promisedBy = ({ promised }: Session): number => {
  const now = Date.now()
  return [...promised].reduce((sum, { price, until }) => sum + (until > now ? price : 0), 0)
}

/** Forgets the promises whose requests have not come in time. */
export const dropLapsed = ({ promised }: Session): void => {
  const now = Date.now()
  for (const draw of promised) if (draw.until <= now) promised.delete(draw)
}

/** Whether the price of another request can be drawn. */
export const hasRoom = (session: Session, price: number): boolean =>
  !session.isRefused && session.drawn + promisedBy(session) + price <= session.due.amount.value
