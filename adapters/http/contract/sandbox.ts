import { Schema, Struct } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelFaults, NO_CHANNEL_FAULTS, SIMULATED_ACTIONS } from "../../../core/ports/Sandbox.ts"
import { MESSAGE_CHANNELS } from "../../../core/ports/Messenger.ts"
import { AccountKey } from "./Access.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { PayableAmount } from "../../../core/shared/Money.ts"
import { Time } from "../../../core/shared/Wire.ts"
import { Nothing } from "./Wire.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Group, Unhurried } from "./Route.ts"

const Faults = ChannelFaults.annotate({
  identifier: "ChannelFaults",
  description: "The ways in which a sandbox channel can misbehave.",
  examples: [NO_CHANNEL_FAULTS],
})

const FaultsInput = ChannelFaults.mapFields(Struct.map(Schema.optionalKey)).annotate({
  identifier: "ChannelFaultsInput",
  description: "The faults to switch on or off. The others stay unchanged.",
  examples: [{ down: true }],
})

const SandboxChannel = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  secret: Schema.String.annotate({ description: "The secret that signs the channel's callbacks." }),
  faults: Faults.annotateKey({ description: "The channel's faults, each on or off." }),
}).annotate({
  identifier: "SandboxChannel",
  description: "A channel that the sandbox simulates.",
  examples: [{ channel: "wallet_a", secret: "…", faults: NO_CHANNEL_FAULTS }],
})

const SimulateInput = Schema.Struct({
  action: Schema.Literals(SIMULATED_ACTIONS).annotateKey({
    description: "The action of the payer or of the channel.",
  }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description:
      "The amount that the payer agrees to. If the payment has another one, nothing happens.",
  }),
}).annotate({
  identifier: "SimulateInput",
  description:
    "The action of the payer's wallet. `pay` takes the payment as far as the flow allows.",
  examples: [{ action: "authorize" }],
})

const AdvanceInput = Schema.Struct({
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000 })).annotateKey({
    description: "The number of seconds by which the clock moves.",
  }),
}).annotate({
  identifier: "AdvanceInput",
  description: "The time by which the clock moves forward.",
  examples: [{ seconds: 900 }],
})

const Advanced = Schema.Struct({
  now: Time.annotateKey({ description: "The sandbox's new time." }),
  ran: Schema.Int.annotate({ description: "The number of tasks that fell due." }),
}).annotate({
  identifier: "Advanced",
  description: "The sandbox's clock after the move.",
  examples: [{ now: "2026-01-31T08:15:00.000Z", ran: 1 }],
})

const SandboxMessage = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The message's id." }),
  verification_id: Schema.String.annotateKey({ description: "The verification's id." }),
  channel: Schema.Literals(MESSAGE_CHANNELS).annotateKey({
    description: "The medium of the message.",
  }),
  to: Schema.String.annotateKey({ description: "The recipient's address or phone number." }),
  subject: Schema.String.annotateKey({ description: "The message's subject." }),
  text: Schema.String.annotateKey({ description: "The message's text, with the code." }),
  sent_at: Time.annotateKey({ description: "The time of sending." }),
}).annotate({
  identifier: "SandboxMessage",
  description: "A message that was stored here instead of being sent.",
  examples: [
    {
      id: "kyc_01997d3e-8a00-7000-8000-000000000030-1-sms",
      verification_id: "kyc_01997d3e-8a00-7000-8000-000000000030",
      channel: "sms",
      to: "+14155550123",
      subject: "Your verification code",
      text: "123456 is your verification code.",
      sent_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Simulation of the outside world in sandbox mode. */
export const sandbox = HttpApiGroup.make("sandbox")
  .add(
    account.post("simulate", "/v1/sandbox/payment-intents/:id/simulate", {
      annotations: Group.context("pay"),
      summary: "Simulate an action of the payer's wallet",
      description:
        "Use it in tests to scan, authorize, pay, decline or expire without a wallet. People " +
        "use `/sandbox/wallet`.",
      payload: SimulateInput,
      success: IntentView,
      refusals: [
        "NOT_FOUND",
        "INVALID_AMOUNT",
        { code: "INVALID_TRANSITION", subject: "payment_intent" },
      ],
    }),
    account.get("channels", "/v1/sandbox/channels", {
      annotations: Group.context("manage"),
      summary: "List the channels with their secrets and faults",
      description:
        "Use it to see the secrets with which gateways sign, and the faults that are set.",
      success: Schema.Struct({
        data: Schema.Array(SandboxChannel).annotateKey({ description: "The channels." }),
      }),
    }),
    account.put("setFaults", "/v1/sandbox/channels/:channel/faults", {
      summary: "Set the faults of a channel",
      description:
        "Use it to try out what happens when a channel fails, for every account of the " +
        "installation. Faults that are not named stay unchanged: `false` switches one off.",
      params: { channel: Schema.String.annotate({ description: "The name of the channel." }) },
      payload: FaultsInput,
      success: SandboxChannel,
      refusals: ["NOT_FOUND"],
    }),
    account.post("advanceClock", "/v1/sandbox/clock/advance", {
      summary: "Move the clock forward and run the tasks that fall due",
      description:
        "Use it to reach tasks that fall due later: settlement, renewals, expiry. Time " +
        "only moves forward.",
      payload: AdvanceInput,
      success: Advanced,
      annotations: Unhurried.context(true),
    }),
    account.get("messages", "/v1/sandbox/messages", {
      summary: "Read the messages to the account's people",
      description: "Use it in tests to read a code that would be sent by mail or SMS.",
      query: {
        verification_id: Schema.optionalKey(Schema.String).annotate({
          description: "Only the messages about this verification.",
        }),
      },
      success: Schema.Struct({
        data: Schema.Array(SandboxMessage).annotateKey({ description: "The messages." }),
      }),
    }),
    account.post("reset", "/v1/sandbox/reset", {
      summary: "Erase the account's data",
      description:
        "Use it to start a test again. It erases the account's payments, services, " +
        "subscriptions, tabs and events, and keeps its keys. A payment with another account, " +
        "with its refunds, stays for that account alone and goes on there; a subscription or " +
        "a tab ends for both.",
      payload: Nothing,
      success: Schema.Struct({
        reset: Schema.Literal(true).annotateKey({ description: "Always `true`." }),
      }),
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Simulates wallets, channels and time. Not in live mode.")
