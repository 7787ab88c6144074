import { defaultCatalog } from "../../core/channels/Catalog.ts"
import type { Money } from "../../core/shared/Money.ts"
import type { Alterations } from "../../simulator/Alterations.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { changing } from "../support/finding.ts"
import { calling, type Flaw, storing, withIntents } from "./flaw.ts"

const CAPTURING_PARTS = new Set(
  defaultCatalog.filter((channel) => channel.partial_capture === true).map(({ id }) => id),
)

/** Channels that are asked for the whole payment instead of a part. */
const wholeForPart = (): Alterations => ({
  channels: (inner) => {
    const whole = new Map<string, Money>()
    return {
      ...inner,
      createQr: (charge) => {
        whole.set(charge.out_trade_no, charge.amount)
        return inner.createQr(charge)
      },
      call: (call) => {
        const amount = call.action === "capture" ? whole.get(call.out_trade_no) : undefined
        return inner.call(amount === undefined ? call : { ...call, amount })
      },
    }
  },
})

/** Flaws of partial captures: each breaks one rule. */
export const captureFlaws: ReadonlyArray<Flaw> = [
  {
    name: "the part that is to be captured is forgotten",
    noticed_by: [1, 97],
    alterations: storing((commit) =>
      withIntents(commit, (write) => {
        if (!("capture_value" in write.record)) return write
        const { capture_value: _part, ...whole } = write.record
        return { ...write, record: whole }
      }),
    ),
  },
  {
    name: "a channel keeps the rest of what it held",
    noticed_by: [7, 97],
    alterations: {
      makeLedger: (channel, entered) =>
        new Ledger(channel, (entry) => {
          if (entry.type !== "release" || entry.number !== null) entered(entry)
        }),
    },
  },
  {
    name: "a channel that captures no parts is asked for one",
    noticed_by: [98],
    alterations: calling((inner, call) => {
      const { amount } = call
      const isWhole = call.action === "capture" && !CAPTURING_PARTS.has(call.channel)
      return inner.call(
        isWhole && amount.value > 1
          ? { ...call, amount: { ...amount, value: amount.value - 1 } }
          : call,
      )
    }),
  },
  {
    name: "what was authorised is taken as a whole, however little was used",
    noticed_by: [99],
    parts: ["held payments"],
    alterations: wholeForPart(),
  },
  {
    name: "a channel that is to give a hold up takes it",
    noticed_by: [99],
    alterations: calling((inner, call) =>
      inner.call(call.action === "release" ? { ...call, action: "capture" } : call),
    ),
  },
  {
    name: "nobody remembers which payments a seller has accepted",
    noticed_by: [99],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "challenge", (found) => ({ ...found, redeemed_at: null })),
      }),
    },
  },
]
