import { createHmac } from "node:crypto"
import { Effect, Layer } from "effect"
import { encodeCallback } from "../../adapters/channels/codec.ts"
import type { ChannelUnderTest } from "../../apps/payport/testing/channelContract.ts"
import type { ChannelMessage } from "../../core/gateway/ChannelCallback.ts"
import { Channels } from "../../core/ports/Channels.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { Network, secretOf } from "../../simulator/channels/Network.ts"
import { simulatedChannels } from "../../simulator/channels/simulatedChannels.ts"
import { FaultLog } from "../../simulator/faults/Fault.ts"
import { NO_FAULTS } from "../../simulator/faults/Faults.ts"
import { makeChance } from "../../simulator/random/Chance.ts"
import type { Stage } from "../../simulator/world/Stage.ts"

/** Signs a channel's callbacks. */
export const sign = (secret: string) => (message: ChannelMessage) => {
  const body = encodeCallback(message)
  return { body, signature: createHmac("sha256", secret).update(body).digest("hex") }
}

const NOW = 1_769_902_800_000

const stage: Stage = {
  now: () => NOW,
  chance: makeChance,
  faults: () => NO_FAULTS,
  log: new FaultLog(),
  spawn: () => undefined,
  serve: () => Effect.die("Nobody is served here."),
  visit: () => undefined,
  measure: () => undefined,
  isDown: () => false,
  upset: () => undefined,
  busy: () => 0,
}

/** A simulated channel without faults, with changes to its adapter. */
export const simulatedChannel = (
  change: (channels: Channels["Service"]) => Channels["Service"] = (channels) => channels,
): ChannelUnderTest => {
  const network = new Network(stage, {
    makeLedger: (channel, entered) => new Ledger(channel, entered),
    from: NOW,
    to: NOW,
    outages: [],
    observe: () => undefined,
  })
  return {
    channel: "wallet_a",
    currency: "USD",
    parts: true,
    now: stage.now,
    open: () => Layer.sync(Channels, () => change(simulatedChannels(stage, network))),
    pay: ({ channel, out_trade_no }) => {
      const booked = network.find(channel, out_trade_no)
      if (booked !== undefined) network.pay(booked, { payer_id: "human", wallet_id: "wallet" })
    },
    callback: sign(secretOf("wallet_a")),
    approve: (mandate) => void network.mandates.decide(mandate, "active"),
  }
}
