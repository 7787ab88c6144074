import type { Layer } from "effect"
import { Channels } from "../../../core/ports/Channels.ts"
import { calls } from "./channel/calls.ts"
import { callbacks } from "./channel/callbacks.ts"
import { charges } from "./channel/charges.ts"
import { mandates } from "./channel/mandates.ts"
import type { ChannelTestMode } from "./channel/probe.ts"
import { statements } from "./channel/statements.ts"
import type { Contract, MethodsCovered } from "./Contract.ts"
import { portContract } from "./portContract.ts"

const METHODS: { readonly [M in keyof Channels["Service"]]: 0 } = {
  health: 0,
  createQr: 0,
  createDeepLink: 0,
  call: 0,
  ask: 0,
  requestMandate: 0,
  askMandate: 0,
  revokeMandate: 0,
  query: 0,
  statement: 0,
  payerOf: 0,
  readCallback: 0,
  noteCallback: 0,
}

/** The channel to be checked. */
export interface ChannelUnderTest extends ChannelTestMode {
  /** Makes a layer of the adapter; called once for each check, which closes the layer. */
  readonly open: () => Layer.Layer<Channels, unknown>
}

/**
 * Checks what the core relies on in any channel. Charges and numbers are always new, so the checks
 * also run against a test mode that keeps its records.
 */
export const channelContract = ({ open, ...mode }: ChannelUnderTest): Contract<MethodsCovered> =>
  portContract(
    Channels,
    METHODS,
    open,
    [charges, calls, callbacks, mandates, statements].map((part) => part(mode)),
  )
