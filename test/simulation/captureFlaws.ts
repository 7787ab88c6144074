import { defaultCatalog } from "../../core/channels/Catalog.ts"
import { Ledger } from "../../simulator/channels/Ledger.ts"
import { calling, type Flaw, storing, withIntents } from "./flaw.ts"

const CAPTURING_PARTS = new Set(
  defaultCatalog.filter((channel) => channel.partial_capture === true).map(({ id }) => id),
)

/** What can be wrong where a payee captures a part: each entry breaks one rule. */
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
]
