import { Effect } from "effect"
import { NO_ENTRY } from "../../core/audit/AuditEntry.ts"
import { changingList } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

/** Flaws of what agents and accounts are answered: each breaks one rule. */
export const answerFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a receipt of the market shows no refund",
    noticed_by: [133],
    parts: ["receipt readers"],
    alterations: {
      store: (store) => ({ ...store, list: changingList(store, "refund", () => []) }),
    },
  },
  {
    name: "a list of the market leaves out the first payment of each page but one",
    noticed_by: [133],
    parts: ["receipt readers"],
    alterations: {
      store: (store) => ({
        ...store,
        listIntents: (query) =>
          Effect.map(store.listIntents(query), (found) =>
            query.starting_after === undefined ? found : found.slice(1),
          ),
      }),
    },
  },
  {
    name: "an argument in capitals is taken for that in small letters",
    noticed_by: [134],
    parts: ["mistaken callers"],
    alterations: { hears: (text) => text.replace(/"[A-Z_]+":/g, (name) => name.toLowerCase()) },
  },
  {
    name: "a control character in a request is not heard",
    noticed_by: [134],
    parts: ["mistaken callers"],
    alterations: { hears: (text) => text.replaceAll("\\u0007", "") },
  },
  {
    name: "a list of named services' tools leaves out the first",
    noticed_by: [136],
    parts: ["tool readers"],
    alterations: {
      store: (store) => ({
        ...store,
        findMany: (kind, ids) =>
          Effect.map(store.findMany(kind, ids), (found) =>
            kind === "service" ? found.slice(1) : found,
          ),
      }),
    },
  },
  {
    name: "a key works from every address",
    noticed_by: [135],
    parts: ["limited keys"],
    alterations: {
      store: (store) => ({
        ...store,
        findCredential: (hash) =>
          Effect.map(store.findCredential(hash), (found) => {
            if (found?.api_key.restrictions == null) return found
            const { addresses: _addresses, ...restrictions } = found.api_key.restrictions
            return { ...found, api_key: { ...found.api_key, restrictions } }
          }),
      }),
    },
  },
  {
    name: "a new key never ends",
    noticed_by: [135],
    parts: ["limited keys"],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "api_key" && write.op === "insert"
          ? { ...write, record: { ...write.record, expires_at: null } }
          : write,
      ),
    })),
  },
  {
    name: "the key that ended last makes room for another",
    noticed_by: [138],
    parts: ["limited keys"],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "api_key", (all) =>
          all.map((key) => ({ ...key, revoked_at: key.revoked_at && 4e12 - key.revoked_at })),
        ),
      }),
    },
  },
  {
    name: "an account's new plan is not billed",
    noticed_by: [138],
    parts: ["limited keys"],
    alterations: storing((commit) =>
      commit.writes.some(({ kind, op }) => kind === "account" && op === "replace")
        ? { ...commit, writes: commit.writes.filter(({ kind }) => kind !== "billing_cycle") }
        : commit,
    ),
  },
  {
    name: "which invoices are asked for is not heard",
    noticed_by: [137],
    parts: ["questions"],
    alterations: { hears: (text) => text.replace(/ paid (?=invoices)/, " ") },
  },
  {
    name: "how often a plan is to be paid is not heard",
    noticed_by: [137],
    parts: ["questions", "tool buyers"],
    alterations: { hears: (text) => text.replace(/, billed \w+$/, "") },
  },
  {
    name: "the log of operators is signed as if it were empty",
    noticed_by: [139],
    parts: ["audit heads"],
    alterations: { store: (store) => ({ ...store, auditHead: () => Effect.succeed(NO_ENTRY) }) },
  },
  {
    name: "the year of a birth is not heard",
    noticed_by: [140],
    parts: ["submitters"],
    alterations: { hears: (text) => text.replace(/(?<="date_of_birth":")\d{4}/, "1990") },
  },
  {
    name: "a clock that nobody can set goes too slowly",
    noticed_by: [141],
    parts: ["clock watchers"],
    alterations: {
      clock: (clock) => {
        const nanos = () => clock.monotonicTimeNanosUnsafe() / 2n
        return {
          ...clock,
          monotonicTimeNanosUnsafe: nanos,
          monotonicTimeNanos: Effect.sync(nanos),
        }
      },
    },
  },
  {
    name: "the currency of a quote is not heard",
    noticed_by: [142],
    parts: ["quoting agents"],
    alterations: { hears: (text) => text.replace(/"currency":"\w+",?/, "") },
  },
  {
    name: "letters of other scripts are heard as Latin ones",
    noticed_by: [143],
    parts: ["odd texts"],
    alterations: { hears: (text) => text.replace(/[\u03b1-\u0475]/g, "a") },
  },
  {
    name: "a character in metadata is heard as another",
    noticed_by: [144],
    parts: ["odd texts"],
    alterations: { hears: (text) => text.replaceAll("\u0800", "a") },
  },
  {
    name: "the service that a tool is to pay is not heard",
    noticed_by: [145],
    parts: ["tool callers"],
    alterations: { hears: (text) => text.replace(/"manifest_id":"[\w-]*"/, '"human_id":null') },
  },
  {
    name: "a list of keys leaves out those that have ended",
    noticed_by: [146],
    parts: ["key readers", "limited keys"],
    alterations: {
      store: (store) => ({
        ...store,
        list: changingList(store, "api_key", (all) =>
          all.filter(({ revoked_at }) => revoked_at === null),
        ),
      }),
    },
  },
]
