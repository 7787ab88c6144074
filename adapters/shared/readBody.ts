import { Data, Effect } from "effect"
import { type Incoming, isBrokenOff, isFramed } from "./Exchange.ts"
import { Failure } from "../../core/shared/Failure.ts"

/** Limits the total bytes of several bodies. */
export interface ByteBudget {
  /** Reserves room for received bytes. Returns the refusal if there is none. */
  readonly take: (bytes: number) => Failure | undefined
}

/** The caller hung up before the whole request had arrived. Nobody waits for an answer. */
export class CallerGone extends Data.TaggedError("CallerGone")<Record<never, never>> {}

const EMPTY = Buffer.alloc(0)

const tooLarge = (limit: number) =>
  new Failure({
    code: "PAYLOAD_TOO_LARGE",
    message: `The body is larger than ${limit} bytes.`,
    details: { limit },
  })

/** Returns the announced length of the body; undefined if it comes in chunks or frames. */
export const announcedLength = (req: Incoming): number | undefined => {
  const length = req.headers["content-length"]
  if (length !== undefined) return Number(length)
  if (isFramed(req)) return req.stream?.endAfterHeaders === false ? undefined : 0
  return req.headers["transfer-encoding"] === undefined ? 0 : undefined
}

/** Reads the body of a request that has arrived completely. */
const readArrived = (
  req: Incoming,
  limit: number,
  held: ByteBudget | undefined,
): Effect.Effect<Buffer, Failure | CallerGone> =>
  Effect.suspend((): Effect.Effect<Buffer, Failure | CallerGone> => {
    const bytes = (req.read() as Buffer | null) ?? EMPTY
    if (bytes.length < (announcedLength(req) ?? 0)) return Effect.fail(new CallerGone())
    const refusal = bytes.length > limit ? tooLarge(limit) : held?.take(bytes.length)
    return refusal === undefined ? Effect.succeed(bytes) : Effect.fail(refusal)
  })

/**
 * Reads the body as sent, and stops at the first byte over the limit or over the budget. `held` is
 * the request's part of the process's budget, if it counts against one.
 *
 * Fails with `PAYLOAD_TOO_LARGE` (at once if the length is announced) and with
 * `TEMPORARILY_UNAVAILABLE`.
 */
export const readBody = (
  req: Incoming,
  limit: number,
  held?: ByteBudget,
): Effect.Effect<Buffer, Failure | CallerGone> => {
  const announced = announcedLength(req)
  if (announced === 0) return Effect.succeed(EMPTY)
  if (announced !== undefined && announced > limit) return Effect.fail(tooLarge(limit))
  // Most bodies arrive with their heads, and waiting for events would be most of their cost.
  if (req.complete && !isFramed(req)) return readArrived(req, limit, held)
  return Effect.callback<Buffer, Failure | CallerGone>((resume) => {
    // A caller that hung up before this point causes no further event.
    const isGone = isBrokenOff(req) || (req.destroyed && !req.complete)
    if (isGone) return resume(Effect.fail(new CallerGone()))
    // The app has read to the end of a body of which nothing came, and no further event follows.
    if (req.readableEnded) return resume(Effect.succeed(EMPTY))
    const chunks: Array<Buffer> = []
    let size = 0
    const leave = () => void req.off("data", onData).off("end", onEnd).off("close", onClose)
    const stop = (outcome: Effect.Effect<Buffer, Failure | CallerGone>) => {
      leave()
      resume(outcome)
    }
    const onData = (chunk: Buffer) => {
      size += chunk.length
      const refusal = size > limit ? tooLarge(limit) : held?.take(chunk.length)
      if (refusal !== undefined) {
        req.pause()
        stop(Effect.fail(refusal))
      } else chunks.push(chunk)
    }
    const onEnd = () => {
      // By HTTP/2, a body that is broken off ends like a whole one.
      if (isBrokenOff(req)) return stop(Effect.fail(new CallerGone()))
      const [first = EMPTY] = chunks
      stop(Effect.succeed(chunks.length > 1 ? Buffer.concat(chunks, size) : first))
    }
    const onClose = () => stop(Effect.fail(new CallerGone()))
    req.on("data", onData).on("end", onEnd).on("close", onClose)
    // What comes after the deadline would stay in the budget, which is released by then.
    return Effect.sync(leave)
  })
}
