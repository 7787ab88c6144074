import type { ServiceSearch } from "../../core/registry/ServiceSearch.ts"
import type { ManifestStatus, ServiceManifest } from "../../core/registry/ServiceManifest.ts"

/** What a word counts that stands in the name, the tags or the description. */
const NAME = 100
const TAGS = 10
const DESCRIPTION = 1

const PRIVATE: ReadonlySet<ManifestStatus> = new Set(["draft", "paused", "deleted"])

const words = (text: string): ReadonlyArray<string> =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** Scripts that put no spaces between words: there a word begins at every character. */
const UNSPACED = new RegExp(
  `[${["Han", "Hiragana", "Katakana", "Thai", "Lao", "Khmer", "Myanmar"]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}]`,
  "u",
)

const isFoundBy = (word: string, prefix: string): boolean =>
  word.startsWith(prefix) || (UNSPACED.test(word) && word.includes(prefix))

type Weighed = ReadonlyArray<readonly [word: string, weight: number]>

const known = new WeakMap<ServiceManifest, Weighed>()

/** The words of a manifest, heaviest first. */
const wordsOf = (service: ServiceManifest): Weighed => {
  const found = known.get(service)
  if (found !== undefined) return found
  const weighed: Weighed = [
    ...words(service.name).map((word) => [word, NAME] as const),
    ...service.tags.flatMap(words).map((word) => [word, TAGS] as const),
    ...words(service.description).map((word) => [word, DESCRIPTION] as const),
  ]
  known.set(service, weighed)
  return weighed
}

/** How well the manifest answers; 0 when a word of the question begins none of its own. */
const score = (service: ServiceManifest, asked: ReadonlyArray<string>): number => {
  let sum = 0
  for (const prefix of asked) {
    const best = wordsOf(service).find(([word]) => isFoundBy(word, prefix))
    if (best === undefined) return 0
    sum += best[1]
  }
  return sum
}

const isVisible = (service: ServiceManifest, search: ServiceSearch): boolean =>
  service.status === search.status &&
  (!PRIVATE.has(service.status) || service.account_id === search.viewer) &&
  (search.channel === undefined || service.accepted_channels.includes(search.channel)) &&
  (search.payment_method === undefined || service.payment_methods[search.payment_method] === true)

/** What a search finds: best first, then newest. A question without words asks for everything. */
export const searchServices = (services: Iterable<ServiceManifest>, search: ServiceSearch) => {
  const asked = words(search.q ?? "")
  const hits: Array<{ readonly service: ServiceManifest; readonly score: number }> = []
  for (const service of services) {
    if (!isVisible(service, search)) continue
    const reached = score(service, asked)
    if (asked.length === 0 || reached > 0) hits.push({ service, score: reached })
  }
  hits.sort(
    (a, b) =>
      b.score - a.score ||
      b.service.created_at - a.service.created_at ||
      (a.service.id < b.service.id ? 1 : -1),
  )
  return {
    data: hits.slice(search.offset, search.offset + search.limit).map(({ service }) => service),
    total: hits.length,
  }
}
