import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { mixed } from "../../simulator/scenarios/library.ts"
import type { Scenario } from "../../simulator/scenarios/Scenario.ts"
import { type Flaw, storing, withIntents } from "./flaw.ts"
import { changing, changingNamed } from "../support/finding.ts"

type StoreService = Store["Service"]

/** The service whose channel allows the fewest partial refunds, and a payee who makes many. */
const inParts: Scenario = {
  ...mixed,
  services: ["A bank and two wallets"],
  payees: [{ weight: 1, persona: "generous" }],
}

const seenAs =
  (change: (intent: PaymentIntent) => PaymentIntent) =>
  (store: StoreService): StoreService => ({
    ...store,
    find: changing(store, "payment_intent", change),
  })

const younger = (intent: PaymentIntent): PaymentIntent => {
  if ("captured_at" in intent) return { ...intent, captured_at: intent.captured_at + 3 * DAY }
  return intent.status === "completed"
    ? { ...intent, succeeded_at: intent.succeeded_at + 3 * DAY }
    : intent
}

/** Flaws of accesses and of limits on refunds: each breaks one rule. */
export const accessFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a gate is told what an access was before it was revoked",
    noticed_by: [36],
    alterations: {
      store: (store) => ({
        ...store,
        findBy: changingNamed(store, "access_item", (item) => ({
          ...item,
          revoked: item.revoked.slice(1),
        })),
      }),
    },
  },
  {
    name: "an order to revoke is given again when it fails",
    noticed_by: [37],
    faults: { revocation_failed: 0.8 },
    alterations: {
      revoker: (revoker) => ({
        revoke: (order) =>
          Effect.flatMap(revoker.revoke(order), (outcome) =>
            outcome.type === "failed" ? revoker.revoke(order) : Effect.succeed(outcome),
          ),
      }),
    },
  },
  {
    name: "what a refund revokes does not wait for the channel",
    noticed_by: [37],
    faults: { refund_slow: 0.8 },
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "revocation" && write.op === "insert" && write.record.status === "pending"
          ? { ...write, record: { ...write.record, due_at: write.record.created_at } }
          : write,
      ),
    })),
  },
  {
    name: "a payment forgets how many parts of it were refunded",
    noticed_by: [40],
    scenario: inParts,
    alterations: storing((commit) =>
      withIntents(commit, (write) => ({
        ...write,
        record: { ...write.record, refunded: { ...write.record.refunded, partials: 0 } },
      })),
    ),
  },
  {
    name: "a payment forgets how much of it was refunded",
    noticed_by: [40],
    alterations: {
      store: seenAs((intent) => ({
        ...intent,
        refunded: { ...intent.refunded, value: 0 },
      })),
    },
  },
  {
    name: "a payment seems to be younger than it is",
    noticed_by: [40],
    alterations: { store: seenAs(younger) },
  },
]
