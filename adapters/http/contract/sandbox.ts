import { Schema, Struct } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { ChannelFaults, NO_CHANNEL_FAULTS, SIMULATED_ACTIONS } from "../../../core/ports/Sandbox.ts"
import { MESSAGE_CHANNELS } from "../../../core/ports/Messenger.ts"
import { AccountKey } from "./Access.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { Time } from "../../../core/shared/Wire.ts"
import { Nothing } from "./Wire.ts"
import { account } from "./Endpoint.ts"
import { Group, Unhurried } from "./Route.ts"

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
  channel: Schema.String,
  secret: Schema.String.annotate({ description: "What its callbacks are signed with." }),
  faults: Faults,
}).annotate({
  identifier: "SandboxChannel",
  description: "A channel that the sandbox plays.",
  examples: [{ channel: "wallet_a", secret: "…", faults: NO_CHANNEL_FAULTS }],
})

const SimulateInput = Schema.Struct({ action: Schema.Literals(SIMULATED_ACTIONS) }).annotate({
  identifier: "SimulateInput",
  description: "What the payer's wallet does; `pay` goes as far as the flow can.",
  examples: [{ action: "authorize" }],
})

const AdvanceInput = Schema.Struct({
  seconds: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000 })),
}).annotate({
  identifier: "AdvanceInput",
  description: "How far the clock goes forward.",
  examples: [{ seconds: 900 }],
})

const Advanced = Schema.Struct({
  now: Time,
  ran: Schema.Int.annotate({ description: "How many pieces of work fell due." }),
}).annotate({
  identifier: "Advanced",
  description: "The service's time.",
  examples: [{ now: "2026-01-31T08:15:00.000Z", ran: 1 }],
})

const SandboxMessage = Schema.Struct({
  id: Schema.String,
  verification_id: Schema.String,
  channel: Schema.Literals(MESSAGE_CHANNELS),
  to: Schema.String,
  subject: Schema.String,
  text: Schema.String,
  sent_at: Time,
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

/** Playing the world around the service, in sandbox mode. */
export const sandbox = HttpApiGroup.make("sandbox")
  .add(
    account.post("simulate", "/v1/sandbox/payment-intents/:id/simulate", {
      annotations: Group.context("pay"),
      summary: "Let the payer's wallet act",
      payload: SimulateInput,
      success: IntentView,
      refusals: ["NOT_FOUND", { code: "INVALID_TRANSITION", subject: "payment_intent" }],
    }),
    account.get("channels", "/v1/sandbox/channels", {
      annotations: Group.context("manage"),
      summary: "List the channels with their secrets and faults",
      success: Schema.Struct({ data: Schema.Array(SandboxChannel) }),
    }),
    account.put("setFaults", "/v1/sandbox/channels/:channel/faults", {
      summary: "Let a channel misbehave",
      params: { channel: Schema.String },
      payload: FaultsInput,
      success: SandboxChannel,
      refusals: ["NOT_FOUND"],
    }),
    account.post("advanceClock", "/v1/sandbox/clock/advance", {
      summary: "Move the clock forward and run what falls due",
      payload: AdvanceInput,
      success: Advanced,
      annotations: Unhurried.context(true),
    }),
    account.get("messages", "/v1/sandbox/messages", {
      summary: "Read the messages that the account's people were sent",
      query: {
        verification_id: Schema.optionalKey(Schema.String).annotate({
          description: "Only the messages about this verification.",
        }),
      },
      success: Schema.Struct({ data: Schema.Array(SandboxMessage) }),
    }),
    account.post("reset", "/v1/sandbox/reset", {
      summary: "Erase what the account owns",
      payload: Nothing,
      success: Schema.Struct({ reset: Schema.Literal(true) }),
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Sandbox")
  .annotate(OpenApi.Description, "Plays wallets, channels and time. Not in live mode.")
