/** What became of asking for an event. */
export type EventClaim =
  /** It is the caller's now. The token says so when it is confirmed or released. */
  | { readonly state: "claimed"; readonly token: string }
  /** Another delivery of it is being handled at this moment. */
  | { readonly state: "processing" }
  /** It has been handled. */
  | { readonly state: "processed" }

/**
 * Which events a receiver has handled. A receiver of several processes implements it on what they
 * share: `claim` has to be one atomic step, such as an INSERT that does nothing on conflict. A
 * claim that is neither confirmed nor released has to lapse, or a crash would lose its event; and
 * confirm and release do nothing once the claim has lapsed and gone to another token.
 */
export interface SeenEvents {
  readonly claim: (id: string) => Promise<EventClaim>
  /** The event has been handled: keep its id for 24 hours at least. */
  readonly confirm: (id: string, token: string) => Promise<void>
  /** It could not be handled: the next delivery may try again. */
  readonly release: (id: string, token: string) => Promise<void>
}
