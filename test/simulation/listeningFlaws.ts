import type { Commit } from "../../core/ports/Store.ts"
import type { Feed } from "../../core/webhooks/consumers/Feed.ts"
import { LIBRARY } from "../../simulator/scenarios/library.ts"
import { type Flaw, storing } from "./flaw.ts"

const scenario = LIBRARY.find(({ name }) => name === "listening_hosts")!

const withFeeds = (change: (feed: Feed) => Feed) =>
  storing((commit: Commit) => ({
    ...commit,
    writes: commit.writes.map((write) =>
      write.kind === "feed" && write.op !== "remove"
        ? { ...write, record: change(write.record) }
        : write,
    ),
  }))

/** Flaws of events for hosts: each breaks one rule. */
export const listeningFlaws: ReadonlyArray<Flaw> = [
  {
    name: "an event that a consumer could not deal with is given up",
    noticed_by: [93],
    scenario,
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "feed" && write.op === "replace" && write.record.failures > 0
          ? { op: "remove", kind: "feed", record: write.record }
          : write,
      ),
    })),
  },
  {
    name: "a consumer is told of the newest event first",
    noticed_by: [94],
    scenario,
    alterations: withFeeds((feed) => ({ ...feed, waiting: feed.waiting.toReversed() })),
  },
  {
    name: "nobody tells consumers",
    noticed_by: [93],
    scenario,
    alterations: {
      store: (store) => ({
        ...store,
        claimDue: (kind, now, options) => store.claimDue(kind, kind === "feed" ? 0 : now, options),
      }),
    },
  },
]
