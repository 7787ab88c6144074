/** The result of claiming an event. */
export type EventClaim =
  /** The caller has claimed it. The token identifies the claim when it is confirmed or released. */
  | { readonly state: "claimed"; readonly token: string }
  /** Another delivery of it is being handled now. */
  | { readonly state: "processing" }
  /** It has been handled. */
  | { readonly state: "processed" }

/**
 * Records which events a receiver has handled. A receiver of several processes implements it on a
 * shared store: `claim` has to be atomic, such as an INSERT that does nothing on conflict. A claim
 * that is neither confirmed nor released has to expire, or a crash would lose its event. Confirm
 * and release do nothing once the claim has expired and another token has claimed the event.
 */
export interface SeenEvents {
  readonly claim: (id: string) => Promise<EventClaim>
  /** Records the event as handled. Its id has to be kept for 24 hours at least. */
  readonly confirm: (id: string, token: string) => Promise<void>
  /** Gives up the claim after a failure: the next delivery may claim the event. */
  readonly release: (id: string, token: string) => Promise<void>
}
