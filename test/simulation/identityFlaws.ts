import { Effect } from "effect"
import type { Verification } from "../../core/kyc/verifications/Verification.ts"
import type { Commit, Store } from "../../core/ports/Store.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { dropping, type Flaw, storing } from "./flaw.ts"
import { changing } from "../support/finding.ts"

type StoreService = Store["Service"]

/** A store in which verifications are stored as something else. */
const verifications = (change: (record: Verification) => Verification) =>
  storing((commit): Commit => ({
    ...commit,
    writes: commit.writes.map((write) =>
      write.kind === "verification" ? { ...write, record: change(write.record) } : write,
    ),
  }))

const isVerification = ({ kind }: Commit["writes"][number]): boolean => kind === "verification"

/** Simultaneous answers to a code overwrite each other's count. */
const forgetsAnswers = (store: StoreService): StoreService => ({
  ...store,
  commit: (commit) =>
    Effect.flatMap(
      Effect.forEach(commit.writes, (write) =>
        write.kind !== "verification" || write.op !== "replace"
          ? Effect.succeed(write)
          : Effect.map(store.find("verification", write.record.id), (stored) => ({
              ...write,
              record: { ...write.record, version: stored?.version ?? write.record.version },
            })),
      ),
      (writes) => store.commit({ ...commit, writes }),
    ),
})

/** Flaws of identity and limits: each breaks one rule. */
export const identityFlaws: ReadonlyArray<Flaw> = [
  {
    name: "nobody adds up what was spent in a day",
    noticed_by: [41],
    alterations: dropping("reservations"),
  },
  {
    name: "a decision does not reach the agent's level",
    noticed_by: [42],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        ({ kind, op }) =>
          kind !== "agent" || op !== "replace" || !commit.writes.some(isVerification),
      ),
    })),
  },
  {
    name: "levels do not end",
    noticed_by: [42],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "agent", (agent) => ({
          ...agent,
          verified: agent.verified.map((one) => ({ ...one, expires_at: null })),
        })),
      }),
    },
  },
  {
    name: "answers to a code are not counted",
    noticed_by: [43],
    alterations: verifications((record) =>
      record.status === "pending" && record.challenge !== null
        ? { ...record, challenge: { ...record.challenge, attempts: 0 } }
        : record,
    ),
  },
  {
    name: "answers that come at once are counted as one",
    noticed_by: [43, 49],
    faults: { store_latency_ms: 20 },
    alterations: { store: forgetsAnswers },
  },
  {
    name: "nobody counts the agents of a contact",
    noticed_by: [90],
    alterations: storing(({ reservations = [], ...commit }) => ({
      ...commit,
      reservations: reservations.filter(({ counter }) => !counter.startsWith("kyc_contact:")),
    })),
  },
  {
    name: "events tell what was submitted",
    noticed_by: [44],
    alterations: storing(({ events = [], ...commit }) => ({
      ...commit,
      events: events.map((event) =>
        event.type === "kyc.rejected"
          ? { ...event, data: { ...event.data, document_number: "QZ12340000" } }
          : event,
      ),
    })),
  },
  {
    name: "ends are announced a day too early",
    noticed_by: [64],
    alterations: verifications((record) =>
      record.status === "verified" && !record.noticed && record.due_at !== null
        ? { ...record, due_at: record.due_at - DAY }
        : record,
    ),
  },
  {
    name: "operators leave no trace",
    noticed_by: [65],
    alterations: storing(({ audit: _dropped, ...commit }) => commit),
  },
  {
    name: "nobody is told of a verification",
    noticed_by: [28],
    alterations: storing((commit) => ({
      ...commit,
      events: (commit.events ?? []).filter(({ type }) => type !== "kyc.verified"),
    })),
  },
  {
    name: "an appeal is promised to be looked at a day later",
    noticed_by: [115],
    alterations: storing((commit): Commit => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "appeal"
          ? {
              ...write,
              record: {
                ...write.record,
                estimated_resolution: write.record.estimated_resolution + DAY,
              },
            }
          : write,
      ),
    })),
  },
]
