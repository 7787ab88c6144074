import { Effect, Exit, Scope } from "effect"
import { afterAll } from "vitest"
import { channelContract } from "../../../apps/payport/testing/channelContract.ts"
import { sign, simulatedChannel } from "../../support/channelModes.ts"
import { runContract } from "../../support/runContract.ts"
import { agreement, gateway, lineTo, over } from "./http/overGateway.ts"

runContract("a simulated channel", channelContract(simulatedChannel()))

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
