/** The number of receivers to open, besides one that hangs. */
export interface ReceiverSetUp {
  readonly receivers: number
}

/** Ports on the loopback address. */
export interface ReceiverPorts {
  readonly quick: ReadonlyArray<number>
  readonly hanging: number
}

/** The deliveries received since the last reset. */
export interface Received {
  /** Attempts that were answered by 200, each counted once. */
  readonly taken: number
  /** Attempts under a key that had come before. */
  readonly repeated: number
  /** Attempts without an answer: in all, still open, and the most at one time. */
  readonly hung: number
  readonly hanging: number
  readonly mostHanging: number
}

export type ReceiverSaid = ReceiverPorts | { readonly received: Received }
