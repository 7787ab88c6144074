import type { Commit, Store } from "../../core/ports/Store.ts"
import { type Flaw, storing } from "./flaw.ts"

type StoreService = Store["Service"]

/** One drawer of answers for all accounts. */
const EVERYBODY = "everybody"

const shared = (commit: Commit): Commit =>
  commit.reply === undefined
    ? commit
    : { ...commit, reply: { ...commit.reply, account_id: EVERYBODY } }

const sharing = (store: StoreService): StoreService => ({
  ...store,
  commit: (commit) => store.commit(shared(commit)),
  findReply: (_account, key) => store.findReply(EVERYBODY, key),
})

/** Flaws of Idempotency-Keys and incomplete writes: each breaks one rule. */
export const keyFlaws: ReadonlyArray<Flaw> = [
  {
    name: "answers are kept by their keys alone, whoever asks",
    noticed_by: [25],
    alterations: {
      store: sharing,
      vault: (vault) => ({
        ...vault,
        seal: (place, text) => vault.seal(place.replace(/^(reply):[^:]*/, "$1"), text),
        open: (place, sealed) => vault.open(place.replace(/^(reply):[^:]*/, "$1"), sealed),
      }),
    },
  },
  {
    name: "places are kept by their keys alone: another's body is in the way",
    noticed_by: [25],
    alterations: { store: sharing },
  },
  {
    name: "the last write of a commit gets lost",
    noticed_by: [27],
    alterations: storing((commit) =>
      commit.writes.length < 2 ? commit : { ...commit, writes: commit.writes.slice(0, -1) },
    ),
  },
  {
    name: "answers are kept for a second",
    noticed_by: [27],
    alterations: storing((commit) =>
      commit.reply === undefined
        ? commit
        : { ...commit, reply: { ...commit.reply, expires_at: commit.reply.created_at + 1_000 } },
    ),
  },
  {
    name: "a crashed request holds its key for good",
    noticed_by: [27],
    faults: { process_crashed: 0.02 },
    alterations: storing((commit) =>
      commit.reply?.answer === null
        ? { ...commit, reply: { ...commit.reply, lease_until: Infinity } }
        : commit,
    ),
  },
  {
    name: "what was bought by a tool is forgotten in a second",
    noticed_by: [86],
    alterations: storing((commit) =>
      commit.reply?.key.startsWith("purchase ") === true
        ? { ...commit, reply: { ...commit.reply, expires_at: commit.reply.created_at + 1_000 } }
        : commit,
    ),
  },
]
