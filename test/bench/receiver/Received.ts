/** How many receivers the process is to open, besides one that hangs. */
export interface ReceiverSetUp {
  readonly receivers: number
}

/** Ports on the loopback address. */
export interface ReceiverPorts {
  readonly quick: ReadonlyArray<number>
  readonly hanging: number
}

/** What has come in since it was forgotten last. */
export interface Received {
  /** Attempts that were answered by 200, each counted once. */
  readonly taken: number
  /** Attempts under a key that had come before. */
  readonly repeated: number
  /** Attempts that were left hanging, those that still are, and the most at one time. */
  readonly hung: number
  readonly hanging: number
  readonly mostHanging: number
}

export type ReceiverSaid = ReceiverPorts | { readonly received: Received }
