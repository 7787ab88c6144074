import { Effect } from "effect"
import type { Flaw } from "./flaw.ts"
import { changing, changingList } from "../support/finding.ts"

/** Flaws of what people and accounts are shown of payments: each breaks one rule. */
export const readingFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a payment is shown with another description",
    noticed_by: [126],
    parts: ["readers"],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (intent) =>
          intent.description.endsWith("!")
            ? intent
            : { ...intent, description: `${intent.description}!` },
        ),
      }),
    },
  },
  {
    name: "a list of payments leaves out the newest one",
    noticed_by: [126],
    parts: ["readers"],
    alterations: {
      store: (store) => ({
        ...store,
        listIntents: (query) =>
          Effect.map(store.listIntents(query), (found) =>
            query.starting_after === undefined ? found.slice(1) : found,
          ),
      }),
    },
  },
  {
    name: "a payment's history leaves out its first refund and its first channel request",
    noticed_by: [126],
    parts: ["readers"],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(
          { ...store, list: changingList(store, "refund", (all) => all.slice(1)) },
          "channel_request",
          (all, query) => ("payment_intent" in query.by ? all.slice(1) : all),
        ),
      }),
    },
  },
]
