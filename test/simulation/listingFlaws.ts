import { Effect } from "effect"
import type { ProbeAnswer } from "../../core/listings/Probe.ts"
import { type Flaw, storing } from "./flaw.ts"

/** Flaws of sellers' listings: each breaks one rule. */
export const listingFlaws: ReadonlyArray<Flaw> = [
  {
    name: "a resource that was seen to hold is not asked again",
    noticed_by: [102],
    alterations: {
      probe: ({ ask }) => {
        const good = new Map<string, ProbeAnswer>()
        return {
          ask: (request) => {
            const { url } = request
            const before = good.get(url)
            if (before !== undefined) return Effect.succeed(before)
            return Effect.tap(ask(request), (answer) =>
              Effect.sync(() => answer.type === "payment_required" && good.set(url, answer)),
            )
          },
        }
      },
    },
  },
  {
    name: "what is listed and does not hold keeps its rank",
    noticed_by: [102],
    alterations: {
      store: (store) => ({
        ...store,
        searchListings: (search) =>
          Effect.map(store.searchListings(search), ({ data, total }) => ({
            data: data.toReversed(),
            total,
          })),
      }),
    },
  },
  {
    name: "a listing that fell is not looked at again",
    noticed_by: [102],
    alterations: storing((commit) => ({
      ...commit,
      writes: commit.writes.map((write) =>
        write.kind === "listing" && write.record.standing === "silent"
          ? { ...write, record: { ...write.record, due_at: null } }
          : write,
      ),
    })),
  },
  {
    name: "another price that a resource asks is not looked at",
    noticed_by: [102],
    alterations: {
      probe: ({ ask }) => {
        const first = new Map<string, ProbeAnswer>()
        return {
          ask: (request) =>
            Effect.map(ask(request), (answer) => {
              const before = first.get(request.url) ?? answer
              if (answer.type === "silent") return answer
              first.set(request.url, before)
              return before
            }),
        }
      },
    },
  },
]
