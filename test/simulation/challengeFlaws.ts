import { Effect } from "effect"
import type { Challenge } from "../../core/challenges/Challenge.ts"
import { PROOF_COUNTERS } from "../../core/installs/Budget.ts"
import type { Commit } from "../../core/ports/Store.ts"
import { SECOND } from "../../core/shared/Timestamp.ts"
import { calling, type Flaw, storing } from "./flaw.ts"
import { changing } from "../support/finding.ts"

/** Some commits lose the counters with such names. */
const withoutCounters = (names: string, where: (commit: Commit) => boolean) =>
  storing((commit) => ({
    ...commit,
    ...(commit.reservations !== undefined &&
      where(commit) && {
        reservations: commit.reservations.filter(({ counter }) => !counter.startsWith(names)),
      }),
  }))

/** Commits store something else of sessions. */
const withSessions = (change: (record: Challenge) => Challenge) =>
  storing((commit) => ({
    ...commit,
    writes: commit.writes.map((write) =>
      write.kind === "challenge" ? { ...write, record: change(write.record) } : write,
    ),
  }))

/** Every protocol by which a proof can arrive. */
const DOORS = [
  "own",
  "x402",
  "mpp",
  "facilitator",
  "tool",
  "upto",
  "held",
  "authorize",
  "session",
] as const

/** Flaws of payment proofs: each breaks one rule. */
export const challengeFlaws: ReadonlyArray<Flaw> = [
  {
    name: "an accepted proof is not used up",
    noticed_by: [75],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.filter(
        ({ kind, op, record }) =>
          kind !== "challenge" || op !== "replace" || record.redeemed_at === null,
      ),
    })),
  },
  {
    name: "a use of a proof is stored whatever its version",
    noticed_by: [75],
    parts: ["paid endpoints"],
    faults: { store_latency_ms: 20 },
    alterations: {
      store: (store) => ({
        ...store,
        commit: (commit) =>
          Effect.flatMap(
            Effect.forEach(commit.writes, (write) =>
              write.kind === "challenge" && write.op === "replace"
                ? Effect.map(store.find("challenge", write.record.id), (stored) => ({
                    ...write,
                    record: { ...write.record, version: stored?.version ?? 1 },
                  }))
                : Effect.succeed(write),
            ),
            (writes) => store.commit({ ...commit, writes }),
          ),
      }),
    },
  },
  {
    name: "the time of a proof begins again with each use",
    noticed_by: [75],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "challenge", (found) => ({
          ...found,
          redeemed_at: found.redeemed_at === null ? null : found.redeemed_at + 300 * SECOND,
        })),
      }),
    },
  },
  {
    name: "whoever knows the payment needs no token",
    noticed_by: [76],
    alterations: { vault: (vault) => ({ ...vault, equal: () => true }) },
  },
  {
    name: "proofs that nobody has used count as used",
    noticed_by: [77],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "challenge", (found) => ({
          ...found,
          redeemed_at: found.redeemed_at ?? found.created_at,
        })),
      }),
    },
  },
  {
    name: "a payment whose capture is under way is asked for again",
    noticed_by: [78],
    faults: { call_timeout: 0.2 },
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "payment_intent", (intent) =>
          intent.status === "capturing"
            ? ({ ...intent, status: "scanning" } as unknown as typeof intent)
            : intent,
        ),
      }),
    },
  },
  ...DOORS.map((door): Flaw => ({
    name: `the door ${door} lets in whoever shows something, whatever the service says`,
    noticed_by: [111],
    ...(door === "tool" && { parts: ["named purchases"] }),
    alterations: { doors: { [door]: () => true } },
  })),
  {
    name: "the identifier of a purchase is not written down",
    noticed_by: [83],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "challenge"
          ? { ...write, record: { ...write.record, payment_identifier: null } }
          : write,
      ),
    })),
  },
  {
    name: "a capture that was refused opens what it was for",
    noticed_by: [79],
    faults: { capture_refused: 0.8 },
    alterations: calling((inner, request) =>
      Effect.map(inner.call(request), (outcome) =>
        request.action === "capture" && outcome.type === "refused"
          ? { type: "done", at: 0, trade_no: request.trade_no ?? "" }
          : outcome,
      ),
    ),
  },
  {
    name: "what a session draws is not counted",
    noticed_by: [100],
    alterations: withSessions((record) => ({ ...record, drawn: null })),
  },
  {
    name: "a session that is closed takes further draws",
    noticed_by: [100],
    parts: ["prepaid sessions"],
    alterations: withSessions((record) => ({ ...record, closed_at: null, rest_refund: null })),
  },
  {
    name: "a proof of a subscription is not used up",
    noticed_by: [101],
    alterations: withoutCounters(PROOF_COUNTERS, () => true),
  },
  {
    name: "a subscription that has ended is proven all the same",
    noticed_by: [101],
    alterations: {
      store: (store) => ({
        ...store,
        find: changing(store, "subscription", (found) => ({ ...found, status: "active" as const })),
      }),
    },
  },
]
