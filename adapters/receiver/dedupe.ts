import type { SeenEvents } from "./SeenEvents.ts"

/** What became of one delivery: handled now, handled before, or being handled by another. */
export type Outcome = "processed" | "duplicate" | "in_progress"

/**
 * Handles an event unless it has been, or is being, handled: of any number of deliveries at once
 * one does it. When the handler fails, the event is let go for the next delivery, and the handler's
 * error is thrown.
 */
export const dedupe = async (
  seen: SeenEvents,
  id: string,
  handle: () => Promise<void> | void,
): Promise<Outcome> => {
  const claim = await seen.claim(id)
  if (claim.state === "processed") return "duplicate"
  if (claim.state === "processing") return "in_progress"
  try {
    await handle()
  } catch (error) {
    // If this fails too, the claim lapses by itself; the handler's error is the one to know of.
    await seen.release(id, claim.token).catch(() => undefined)
    throw error
  }
  await seen.confirm(id, claim.token)
  return "processed"
}
