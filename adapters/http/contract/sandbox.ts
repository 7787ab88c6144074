import { Schema, Struct } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelFaults, NO_CHANNEL_FAULTS, SIMULATED_ACTIONS } from "../../../core/ports/Sandbox.ts"
import { MESSAGE_CHANNELS } from "../../../core/ports/Messenger.ts"
import { AccountKey } from "./Access.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
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
  description: "The faults to switch on or off; the others stay as they are.",
  examples: [{ down: true }],
})

const SandboxChannel = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "A channel by its name, such as `wallet_a`." }),
  secret: Schema.String.annotate({ description: "What its callbacks are signed with." }),
  faults: Faults.annotateKey({ description: "What it is told to do wrong." }),
}).annotate({
  identifier: "SandboxChannel",
  description: "A channel that the sandbox plays.",
  examples: [{ channel: "wallet_a", secret: "…", faults: NO_CHANNEL_FAULTS }],
})

const SimulateInput = Schema.Struct({
  action: Schema.Literals(SIMULATED_ACTIONS).annotateKey({
    description: "What the payer or the channel does.",
  }),
}).annotate({
  identifier: "SimulateInput",
  description: "What the payer's wallet does; `pay` goes as far as the flow can.",
  examples: [{ action: "authorize" }],
})

const AdvanceInput = Schema.Struct({
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000 })).annotateKey({
    description: "How far the clock is moved.",
  }),
}).annotate({
  identifier: "AdvanceInput",
  description: "How far the clock goes forward.",
  examples: [{ seconds: 900 }],
})

const Advanced = Schema.Struct({
  now: Time.annotateKey({ description: "The sandbox's time." }),
  ran: Schema.Int.annotate({ description: "How many pieces of work fell due." }),
}).annotate({
  identifier: "Advanced",
  description: "The service's time.",
  examples: [{ now: "2026-01-31T08:15:00.000Z", ran: 1 }],
})

const SandboxMessage = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The message's id." }),
  verification_id: Schema.String.annotateKey({ description: "The verification's id." }),
  channel: Schema.Literals(MESSAGE_CHANNELS).annotateKey({ description: "How it was sent." }),
  to: Schema.String.annotateKey({ description: "Whom it was sent to." }),
  subject: Schema.String.annotateKey({ description: "Its subject." }),
  text: Schema.String.annotateKey({ description: "Its text, with the code." }),
  sent_at: Time.annotateKey({ description: "When it was sent." }),
}).annotate({
  identifier: "SandboxMessage",
  description: "A message that was put here instead of being sent.",
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
      summary: "Let the payer's wallet act",
      description:
        "Use it in tests to scan, authorize, pay, decline or expire without a wallet. People " +
        "use `/sandbox/wallet`.",
      payload: SimulateInput,
      success: IntentView,
      refusals: ["NOT_FOUND", { code: "INVALID_TRANSITION", subject: "payment_intent" }],
    }),
    account.get("channels", "/v1/sandbox/channels", {
      annotations: Group.context("manage"),
      summary: "List the channels with their secrets and faults",
      description: "Use it to see the secrets that gateways sign with, and which faults are set.",
      success: Schema.Struct({
        data: Schema.Array(SandboxChannel).annotateKey({ description: "The channels." }),
      }),
    }),
    account.put("setFaults", "/v1/sandbox/channels/:channel/faults", {
      summary: "Let a channel misbehave",
      description:
        "Use it to try out what happens when a channel fails; faults that are left out stay as " +
        "they are.",
      params: { channel: Schema.String.annotate({ description: "The channel by its name." }) },
      payload: FaultsInput,
      success: SandboxChannel,
      refusals: ["NOT_FOUND"],
    }),
    account.post("advanceClock", "/v1/sandbox/clock/advance", {
      summary: "Move the clock forward and run what falls due",
      description:
        "Use it to reach what falls due later: settlement, renewals, expiry. Time only moves " +
        "forward.",
      payload: AdvanceInput,
      success: Advanced,
      annotations: Unhurried.context(true),
    }),
    account.get("messages", "/v1/sandbox/messages", {
      summary: "Read the messages that the account's people were sent",
      description: "Use it in tests to read a code that would go by mail or SMS.",
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
      summary: "Erase what the account owns",
      description:
        "Use it to begin a test anew: payments, services and events of the account go, its " +
        "keys stay.",
      payload: Nothing,
      success: Schema.Struct({
        reset: Schema.Literal(true).annotateKey({ description: "Always `true`." }),
      }),
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Plays wallets, channels and time. Not in live mode.")
