import { Effect } from "effect"
import type { ChannelCallback, RefundCallback } from "../../core/gateway/ChannelCallback.ts"
import { sign } from "../../simulator/channels/Codec.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { secretOf } from "../../simulator/channels/Network.ts"
import { calling, type Flaw, storing } from "./flaw.ts"

/** Flaws between the service and its channels: each breaks one rule. */
export const channelFlaws: ReadonlyArray<Flaw> = [
  {
    name: "callbacks are not asked for their signature",
    noticed_by: [21],
    alterations: {
      channels: (channels) => ({
        ...channels,
        readCallback: (channel, body) =>
          channels.readCallback(channel, body, sign(secretOf(channel), body)),
      }),
    },
  },
  {
    name: "what a channel says is acted on and not kept",
    noticed_by: [110],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(({ kind }) => kind !== "callback"),
    })),
  },
  {
    name: "the currency of a callback gets lost in the codec",
    noticed_by: [21],
    faults: { callback_crossed: 0.5 },
    alterations: {
      channels: (channels) => ({
        ...channels,
        readCallback: (...message) =>
          Effect.map(channels.readCallback(...message), (read) => {
            const { currency: _currency, ...rest } = read as RefundCallback | ChannelCallback
            return rest
          }),
      }),
    },
  },
  {
    name: "a channel takes the money of one request twice",
    noticed_by: [2, 3, 4],
    alterations: {
      makeLedger: (channel, entered) =>
        new Ledger(channel, (entry) => {
          entered(entry)
          if (entry.type === "capture") entered(entry)
        }),
    },
  },
  {
    name: "a call without an answer is made again under another number",
    noticed_by: [4, 16, 50],
    alterations: calling((inner, call) =>
      Effect.flatMap(inner.call(call), (outcome) =>
        outcome.type === "unknown"
          ? inner.call({ ...call, number: `${call.number}-again` })
          : Effect.succeed(outcome),
      ),
    ),
  },
  {
    name: "a call without an answer counts as refused",
    noticed_by: [5, 7],
    alterations: calling((inner, call) =>
      Effect.map(inner.call(call), (outcome) =>
        outcome.type === "unknown" ? { type: "refused", message: outcome.message } : outcome,
      ),
    ),
  },
  {
    name: "a release is said to be done and is not made",
    noticed_by: [7],
    alterations: calling((inner, call) =>
      call.action === "release"
        ? Effect.succeed({ type: "done", at: 0, trade_no: call.trade_no ?? "" })
        : inner.call(call),
    ),
  },
  {
    name: "a request that the channel does not know counts as done",
    noticed_by: [5, 7, 52],
    alterations: {
      channels: (channels) => ({
        ...channels,
        ask: (call) =>
          Effect.map(channels.ask(call), (outcome) =>
            outcome.type === "not_found"
              ? { type: "done", at: 0, trade_no: "unheard of" }
              : outcome,
          ),
      }),
    },
  },
  {
    name: "a QR code is made twice",
    noticed_by: [17],
    alterations: {
      channels: (channels) => ({
        ...channels,
        createQr: (charge) =>
          Effect.andThen(
            channels.createQr(charge),
            channels.createQr({ ...charge, charge_id: `${charge.charge_id}-2` }),
          ),
      }),
    },
  },
  {
    name: "a charge is made for more than the payment",
    noticed_by: [1, 51],
    alterations: {
      channels: (channels) => ({
        ...channels,
        createDeepLink: (charge) =>
          channels.createDeepLink({
            ...charge,
            amount: { ...charge.amount, value: charge.amount.value + 1 },
          }),
      }),
    },
  },
  {
    name: "what was noted of a message is forgotten",
    noticed_by: [21],
    alterations: storing(({ keys = [], ...commit }) => ({
      ...commit,
      keys: keys.filter(({ key }) => !/^(discrepancy|return):/.test(key)),
    })),
  },
  {
    name: "a payer's choice leaves the charges of the other channels open",
    noticed_by: [114],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        ({ kind, op, record }) =>
          kind !== "channel_request" || op !== "insert" || record.action !== "close",
      ),
    })),
  },
]
