import { Effect, Exit, Scope } from "effect"
import { afterAll } from "vitest"
import { channelContract } from "../../../apps/payport/testing/channelContract.ts"
import type { ChannelMessage } from "../../../core/gateway/ChannelCallback.ts"
import { sign, simulatedChannel } from "../../support/channelModes.ts"
import { runContract } from "../../support/runContract.ts"
import { agreement, gateway, lineTo, over } from "./http/overGateway.ts"

runContract("a simulated channel", channelContract(simulatedChannel()))

/** A channel that writes amounts in its own way, such as 5 for 5.00. */
const writing = (currency: string, write: (major: number) => string) => {
  const inItsWay = (message: ChannelMessage): ChannelMessage =>
    "total_amount" in message
      ? { ...message, total_amount: write(Number(message.total_amount)) }
      : "refund_amount" in message
        ? { ...message, refund_amount: write(Number(message.refund_amount)) }
        : message
  const mode = simulatedChannel((sound) => ({
    ...sound,
    readCallback: (...sent) => Effect.map(sound.readCallback(...sent), inItsWay),
  }))
  return channelContract({ ...mode, currency })
}

runContract(
  "a channel of yen",
  writing("JPY", (major) => `${major}`),
)
runContract(
  "a channel of dinars",
  writing("KWD", (major) => major.toFixed(3)),
)
runContract(
  "a channel that writes no zeros",
  writing("USD", (major) => `${major}`),
)

const scope = Scope.makeUnsafe()
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
const made = await Effect.runPromise(Scope.provide(gateway, scope))

const overHttp = channelContract({
  channel: "wallet_a",
  currency: "USD",
  parts: true,
  open: () => over(lineTo(made.url)),
  pay: ({ channel, out_trade_no }) => void made.act(channel, out_trade_no, "pay"),
  callback: sign(agreement.callback_secret),
  approve: ({ channel, mandate_id }) => void made.decide(channel, mandate_id, "active"),
})

runContract("a channel over HTTP", overHttp)
