import { Effect } from "effect"
import type { Channels, StatementLine } from "../../core/ports/Channels.ts"
import type { Alterations } from "../../simulator/Alterations.ts"
import { type Flaw, storing } from "./flaw.ts"

/** Channels whose statements are changed before they reach the service. */
const reading = (
  change: (lines: ReadonlyArray<StatementLine>) => ReadonlyArray<StatementLine>,
): Alterations => ({
  channels: (channels: Channels["Service"]) => ({
    ...channels,
    statement: (...asked) =>
      Effect.map(channels.statement(...asked), (page) => ({ ...page, lines: change(page.lines) })),
  }),
})

/** Flaws in the comparison of statements with the ledger: each breaks one rule. */
export const statementFlaws: ReadonlyArray<Flaw> = [
  {
    name: "the last line of a statement gets lost in the codec",
    noticed_by: [60],
    alterations: reading((lines) => lines.slice(0, -1)),
  },
  {
    name: "the request numbers of a statement get lost in the codec",
    noticed_by: [60],
    alterations: reading((lines) => lines.map((line) => ({ ...line, number: null }))),
  },
  {
    name: "what the ledger has of other days is not looked at",
    noticed_by: [60],
    faults: { callback_delay_ms: 600_000, callback_never: 0.5 },
    alterations: {
      store: (store) => ({
        ...store,
        listClearing: (query) =>
          Effect.map(store.listClearing(query), (rows) =>
            "from" in query ? rows.slice(1) : rows.filter(({ refund }) => refund === null),
          ),
      }),
    },
  },
  {
    name: "what a run has found is not stored",
    noticed_by: [61],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(({ kind }) => kind !== "discrepancy"),
    })),
  },
  {
    name: "what a run had found before stays",
    noticed_by: [60, 61],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(({ kind, op }) => kind !== "discrepancy" || op !== "remove"),
    })),
  },
  {
    name: "nobody compares anything",
    noticed_by: [62],
    alterations: {
      store: (store) => ({
        ...store,
        claimDue: (kind, ...rest) =>
          kind === "reconciliation_run" ? Effect.succeed([]) : store.claimDue(kind, ...rest),
      }),
    },
  },
]
