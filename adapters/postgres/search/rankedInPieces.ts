import { Effect } from "effect"
import { bestFirst, type Ranked, rankedOf } from "../../../core/registry/ServiceMatch.ts"
import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"

/** Manifests that are matched before others have a turn: a few milliseconds at the most words. */
const PIECE = 32

/** Returns the same as `rankedOf`, but other work of the process goes on meanwhile. */
export const rankedInPieces = Effect.fnUntraced(function* (
  services: ReadonlyArray<ServiceManifest>,
  search: ServiceSearch,
  asked: ReadonlyArray<string>,
) {
  const found: Array<Ranked> = []
  for (let from = 0; from < services.length; from += PIECE) {
    if (from > 0) yield* Effect.yieldNow
    found.push(...rankedOf(services.slice(from, from + PIECE), search, asked))
  }
  return found.sort(bestFirst)
})
