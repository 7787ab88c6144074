import { Result } from "effect"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { nameKey } from "../shared/Text.ts"

/** Which tools a list shows. A missing field does not filter. */
export interface ToolFilter {
  /** Services that have this tag; case is ignored. */
  readonly tag?: string
  /** Services with one of these ids. */
  readonly ids?: ReadonlyArray<string>
  /** Services that an agent of the caller has installed. */
  readonly installed?: true
}

/** The most ids in a filter. */
const MOST_IDS = 100

const invalid = (field: string, reason: string) =>
  Result.fail(
    new Failure({
      code: "INVALID_QUERY",
      message: `The query parameter ${field} is not valid: ${reason}.`,
      field,
    }),
  )

const idsOf = (text: string): ReadonlyArray<string> | undefined => {
  const ids = [...new Set(text.split(",").map((id) => id.trim().toLowerCase()))]
  return ids.length <= MOST_IDS && ids.every(isUuid) ? ids.toSorted() : undefined
}

/**
 * Parses the query of a URL into a filter: `installed`, `tag=…` and `ids=…,…`, each at most once.
 *
 * Fails with `INVALID_QUERY` for any other parameter, which callers might expect to filter the
 * list.
 */
export const toolFilterOf = (
  query: ReadonlyArray<readonly [name: string, value: string]>,
): Result.Result<ToolFilter, Failure<"INVALID_QUERY">> => {
  let filter: ToolFilter = {}
  for (const [name, value] of query) {
    if (name in filter) return invalid(name, "send it once")
    if (name === "tag" && value.trim() !== "") filter = { ...filter, tag: value }
    else if (name === "installed" && ["", "true"].includes(value)) {
      filter = { ...filter, installed: true }
    } else if (name === "ids") {
      const ids = idsOf(value)
      if (ids === undefined) {
        return invalid(name, `send 1 to ${MOST_IDS} ids of services, separated by commas`)
      }
      filter = { ...filter, ids }
    } else {
      const values: { readonly [name: string]: string } = {
        tag: "send a tag that is not blank",
        installed: "send it without a value, or with true",
      }
      const reason = values[name] ?? "the parameters are installed, tag and ids"
      return invalid(name.slice(0, 64), reason)
    }
  }
  return Result.succeed(filter)
}

/** Tells whether a service has the given tag; true without a tag. */
export const hasTag = ({ tags }: Pick<ServiceManifest, "tags">, tag: string | undefined): boolean =>
  tag === undefined || tags.some((own) => nameKey(own) === nameKey(tag))
