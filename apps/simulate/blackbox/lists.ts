import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { timeOf } from "../../../simulator/blackbox/Seen.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"

interface Row {
  readonly id: string
  readonly created_at?: string
}

interface Page<A> {
  readonly data: ReadonlyArray<A>
  readonly has_more: boolean
}

/** Reads what is at a path; undefined where it is refused. */
export type Get = (path: string) => Promise<unknown>

/** A list as far as it was read, and whether that is all of it. */
export interface Listed<A> {
  readonly rows: ReadonlyArray<A>
  readonly whole: boolean
}

const LIMIT = 100

/**
 * Reads a list page by page, the newest first, until its end, until `most` rows, or until rows that
 * are older than `since`, and has its order judged.
 */
export const readList = async <A extends Row>(
  get: Get,
  witness: Witness,
  path: string,
  most = 20_000,
  since: Timestamp = 0,
): Promise<Listed<A>> => {
  const rows: Array<A> = []
  let whole = false
  for (let cursor: string | undefined; rows.length < most; cursor = rows.at(-1)?.id) {
    const after = cursor === undefined ? "" : `&starting_after=${cursor}`
    const mark = path.includes("?") ? "&" : "?"
    const page = (await get(`${path}${mark}limit=${LIMIT}${after}`)) as Page<A> | undefined
    if (page === undefined) break
    rows.push(...page.data)
    whole = !page.has_more
    const last = page.data.at(-1)
    if (whole || last === undefined || timeOf(last.created_at) < since) break
  }
  const [where = path] = path.split("?")
  witness.auditor.see("list", where, {
    where: `GET ${where}`,
    ids: rows.map(({ id }) => id),
  })
  return { rows, whole }
}
