import type { makeTurns } from "./inTurn.ts"
import { provesDraw, readDrawRefusal, sessionCredential } from "./MppDeposit.ts"
import type { makePlaces } from "./MppPlaces.ts"
import { type Draw, mayBePaidLater, type Session } from "./MppSessionState.ts"
import { type Fetch, notAccepted, PaymentUnresolved, showUntilJudged } from "./present.ts"
import { discard } from "./readJson.ts"

/** How often a draw is sent: once more if the seller has counted otherwise. */
const ATTEMPTS = 2

const hasReceipt = ({ headers }: Response): boolean => headers.has("Payment-Receipt")

/** Whether a server that does not know the credential may have refused the request for it. */
export const isPuzzled = (response: Response): boolean => {
  const { status } = response
  const isRefusal = (status >= 300 && status < 400) || [400, 401, 403].includes(status)
  return isRefusal && !hasReceipt(response)
}

/**
 * Sends requests with draws from their sessions. The draws of a session are sent one after the
 * other. Where an endpoint was guessed, only what its seller's receipts prove counts as drawn.
 */
export const makeDraws = (
  fetch: Fetch,
  patience: number,
  places: ReturnType<typeof makePlaces>,
  drawing: ReturnType<typeof makeTurns>,
) => {
  /** Sends a request with a credential; the first one until the deposit is seen to be paid. */
  const show = (session: Session, request: Request, spent: number): Promise<Response> => {
    const { signal } = request
    const again = () => {
      const shown = new Request(request.clone(), { redirect: "manual", signal })
      shown.headers.set("Authorization", sessionCredential(session, { action: "draw", spent }))
      return shown
    }
    const { due, isPaid } = session
    if (isPaid) return fetch(again())
    return showUntilJudged(fetch, again, due, patience).catch((error: unknown) => {
      // Neither the wallet nor the seller knows of a payment, if nobody has ended the wait.
      const isWhole = !signal.aborted
      const isUnpaid = isWhole && error instanceof PaymentUnresolved && error.status !== null
      if (session.wallet === "declined" && isUnpaid) session.isRefused = true
      throw error
    })
  }

  /**
   * Records what the response says about the draw. Returns whether the price was drawn: by the
   * receipt, or if a request passes without one where the endpoint required the draw.
   */
  const record = (response: Response, request: Request, draw: Draw, spent: number): boolean => {
    const { isAsked, price, session } = draw
    const isProof = provesDraw(response, session, spent)
    const isPaid = isAsked || places.isSilent(request)
    const isSilent = isPaid && response.status !== 402 && !hasReceipt(response)
    const isDrawn = isProof || (isSilent && response.ok)
    if (isDrawn) {
      session.drawn = spent
      session.isProven = true
      session.isPaid = true
      session.promised.delete(draw)
    }
    if (isProof) session.proven = Math.max(session.proven, spent)
    if (isProof || isSilent) places.paid(request, { key: session.key, price, isSilent })
    else if (!isAsked && (response.ok || isPuzzled(response))) places.free(request)
    return isDrawn
  }

  /** Sends no more requests from a session whose seller refuses them. */
  const retire = (session: Session, response: Response): Response => {
    session.isRefused = !mayBePaidLater(session)
    if (session.isProven) return response
    discard(response)
    throw notAccepted(session.due, response)
  }

  const send = async (draw: Draw, request: Request): Promise<Response> => {
    const { price, session } = draw
    for (let left = ATTEMPTS; ; left -= 1) {
      const spent = session.drawn + price
      draw.spent = spent
      const response = await show(session, request, spent)
      if (record(response, request, draw, spent) || response.status !== 402) return response
      const refusal = await readDrawRefusal(response, session, patience)
      // Something else is required here.
      if (refusal?.price !== price) return response
      const { drawn } = refusal
      // A draw has passed whose answer was lost or too late.
      if (drawn !== undefined && drawn > 0) session.isPaid = true
      const isNews = drawn !== undefined && drawn !== session.drawn
      if (!isNews || left === 1) return retire(session, response)
      // An answer was lost, or came from elsewhere.
      session.drawn = drawn
      if (drawn + price > session.due.amount.value) return response
      discard(response)
    }
  }

  return (draw: Draw, request: Request): Promise<Response> => {
    const { due, promised } = draw.session
    draw.until = Infinity
    promised.add(draw)
    return drawing(due.id, () => send(draw, request).finally(() => promised.delete(draw)))
  }
}
