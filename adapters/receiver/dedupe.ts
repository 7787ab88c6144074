import type { SeenEvents } from "./SeenEvents.ts"

/** The outcome of a delivery: handled now, handled before, or being handled by another. */
export type Outcome = "processed" | "duplicate" | "in_progress"

/**
 * Handles an event unless it was or is being handled: of concurrent deliveries one handles it. If
 * the handler fails, the claim is released for the next delivery, and the handler's error is
 * thrown.
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
    // If this fails too, the claim expires by itself, and the handler's error matters more.
    await seen.release(id, claim.token).catch(() => undefined)
    throw error
  }
  await seen.confirm(id, claim.token)
  return "processed"
}
