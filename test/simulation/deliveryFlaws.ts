import { Effect } from "effect"
import type { Commit, Store } from "../../core/ports/Store.ts"
import { MINUTE } from "../../core/shared/Timestamp.ts"
import type { Delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import { type Flaw, storing } from "./flaw.ts"
import { changing, changingList } from "../support/finding.ts"

type StoreService = Store["Service"]

const withDeliveries = (commit: Commit, change: (delivery: Delivery) => Delivery): Commit => ({
  ...commit,
  writes: commit.writes.map((write) =>
    write.kind === "delivery" ? { ...write, record: change(write.record) } : write,
  ),
})

const isReport = ({ event_type }: Delivery): boolean => event_type.startsWith("webhook.delivery.")

/** Every claim returns the earlier deliveries again. */
const claimsAgain = (store: StoreService): StoreService => {
  const before = new Map<string, Delivery>()
  return {
    ...store,
    claimDue: (kind, now, options) =>
      Effect.map(store.claimDue(kind, now, options), (claimed) => {
        if (kind !== "delivery") return claimed
        const again = [...before.values()] as unknown as typeof claimed
        for (const delivery of claimed as unknown as ReadonlyArray<Delivery>) {
          before.set(delivery.id, delivery)
        }
        return claimed.length === 0 ? claimed : [...claimed, ...again]
      }),
  }
}

/** Emits events about deliveries of delivery events. */
const tellsOfItself = (commit: Commit): Commit => ({
  ...commit,
  events: [
    ...(commit.events ?? []),
    ...commit.writes.flatMap((write) => {
      if (write.kind !== "delivery" || write.op === "insert" || !isReport(write.record)) return []
      const { account_id, event_id, id, version } = write.record
      const said = { service_id: null, subject_id: id, data: { event_id }, traceparent: null }
      const about = { account_id, ...said }
      const event = `evt_${id.slice(3, -2)}${String(version % 100).padStart(2, "0")}`
      const type = "webhook.delivery.succeeded" as const
      return [{ id: event, version: 1, type, ...about, created_at: 0, due_at: null }]
    }),
  ],
})

/** Flaws of webhooks: each breaks one rule. */
export const deliveryFlaws: ReadonlyArray<Flaw> = [
  {
    name: "registered receivers are told nothing",
    noticed_by: [29],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        ({ kind, record }) => kind !== "delivery" || record.endpoint_id === null,
      ),
    })),
  },
  {
    name: "what failed is tried again at once",
    noticed_by: [30],
    faults: { receiver_failed: 0.5 },
    alterations: storing((commit) =>
      withDeliveries(commit, (delivery) =>
        delivery.attempts.length > 0 && delivery.due_at !== null
          ? { ...delivery, due_at: (delivery.attempts.at(-1)?.at ?? 0) + 1 }
          : delivery,
      ),
    ),
  },
  {
    name: "what was refused is tried again",
    noticed_by: [30],
    faults: { receiver_failed: 0.5 },
    alterations: storing((commit) =>
      withDeliveries(commit, (delivery) =>
        delivery.status === "failed" && delivery.attempts.at(-1)?.status === 410
          ? { ...delivery, status: "pending", due_at: delivery.created_at + 86_400_000 }
          : delivery,
      ),
    ),
  },
  {
    name: "a delivery is handed out again and again",
    noticed_by: [31],
    alterations: { store: claimsAgain },
  },
  {
    name: "a replaced secret signs for ever",
    noticed_by: [32],
    faults: { keys_changed: 0.8 },
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "endpoint", (endpoint) => {
          const previous_secrets = endpoint.previous_secrets.map((previous) => ({
            ...previous,
            expires_at: Infinity,
          }))
          return { ...endpoint, previous_secrets }
        }),
      }),
    },
  },
  {
    name: "nobody looks for the keys that hide a body",
    noticed_by: [33],
    faults: { keys_changed: 0.8 },
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(
          { ...store, list: changingList(store, "webhook_key", () => []) },
          "endpoint",
          (all) => all.map((endpoint) => ({ ...endpoint, encryption: null })),
        ),
        find: changing(store, "endpoint", (found) => ({ ...found, encryption: null })),
      }),
    },
  },
  {
    name: "a redirect is followed",
    noticed_by: [80],
    faults: { receiver_redirects: 0.1 },
    alterations: {
      sender: (sender) => ({
        send: (request) =>
          Effect.flatMap(sender.send(request), (outcome) => {
            const { response: url, status } = outcome
            const isMoved = status !== null && status >= 300 && status < 400
            return isMoved && url !== undefined
              ? sender.send({ ...request, url })
              : Effect.succeed(outcome)
          }),
      }),
    },
  },
  {
    name: "delivery events tell of their own deliveries",
    noticed_by: [34],
    alterations: storing(tellsOfItself),
  },
  {
    name: "webhooks are handed out half an hour late",
    noticed_by: [29],
    alterations: {
      store: (store) => ({
        ...store,
        claimDue: (kind, now, options) =>
          store.claimDue(kind, kind === "delivery" ? now - 30 * MINUTE : now, options),
      }),
    },
  },
]
