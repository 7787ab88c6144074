import { Effect } from "effect"
import { changingList } from "../support/finding.ts"
import type { Flaw } from "./flaw.ts"

/** Flaws of what searches, budgets, reports and lists answer at rest: each breaks one rule. */
export const lookupFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a search of the market finds services at any price",
    noticed_by: [128],
    parts: ["market readers"],
    alterations: {
      store: (store) => ({
        ...store,
        searchServices: ({ price: _price, ...search }) => store.searchServices(search),
      }),
    },
  },
  {
    name: "a search of the market is filled by one seller",
    noticed_by: [128],
    parts: ["market readers", "registry"],
    alterations: {
      store: (store) => ({
        ...store,
        searchServices: ({ most_of_seller: _most, ...search }) => store.searchServices(search),
      }),
    },
  },
  {
    name: "a budget says that more was spent than was",
    noticed_by: [129],
    parts: ["market readers"],
    alterations: {
      store: (store) => ({
        ...store,
        readCounters: (names) =>
          Effect.map(store.readCounters(names), (sums) => sums.map((sum) => sum + 1)),
      }),
    },
  },
  {
    name: "a report leaves out the fees of channels",
    noticed_by: [130],
    parts: ["report readers"],
    alterations: {
      store: (store) => ({
        ...store,
        listDayTotals: (query) =>
          Effect.map(store.listDayTotals(query), (totals) =>
            totals.filter(({ ledger_account }) => ledger_account !== "channel_fees"),
          ),
      }),
    },
  },
  {
    name: "a month's bill counts refunds against its volume",
    noticed_by: [131],
    parts: ["report readers"],
    alterations: {
      store: (store) => ({
        ...store,
        sumDays: (query) =>
          Effect.map(store.sumDays(query), (sums) =>
            sums.map((sum) =>
              sum.kind === "settled" ? { ...sum, amount: Math.floor(sum.amount * 0.9) } : sum,
            ),
          ),
      }),
    },
  },
  {
    name: "a page of accounts leaves out its first",
    noticed_by: [132],
    parts: ["operators"],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "account", (all, { after }) =>
          after === undefined ? all : all.slice(1),
        ),
      }),
    },
  },
  {
    name: "a list of operators' acts has all actions",
    noticed_by: [132],
    parts: ["climbers", "operators"],
    alterations: {
      store: (store) => ({
        ...store,
        listAudit: ({ action: _action, ...query }) => store.listAudit(query),
      }),
    },
  },
]
