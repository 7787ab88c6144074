import type { ManifestStatus } from "../../../core/registry/ServiceManifest.ts"
import type { Row } from "../tables/Table.ts"
import type { Member } from "./Members.ts"

/** A block. It holds all public manifests between the previous block's last one and its own. */
export interface Block {
  readonly build: string
  readonly size: number
  readonly upto: Member
}

/** A manifest that is in no block, or has changed since its block was made. */
export interface Loose extends Member {
  /** Differs for each form that the row has had. */
  readonly row: string
  /** Undefined for a removed manifest. */
  readonly status: ManifestStatus | undefined
  /** Whether a block may hold an earlier form of it. */
  readonly isChanged: boolean
}

/** The blocks of the index, from the oldest, and the manifests outside them. */
export interface Standing {
  readonly blocks: ReadonlyArray<Block>
  readonly loose: ReadonlyArray<Loose>
  /** The number of stored changes (a manifest may have several), and of new manifests. */
  readonly changes: number
  readonly fresh: number
}

const memberOf = (row: Row, id: string): Member => ({
  created_at: (row["at"] as Date).getTime(),
  id: String(row[id]),
})

export const standingOf = (rows: ReadonlyArray<Row>): Standing => {
  const blocks: Array<Block> = []
  const loose: Array<Loose> = []
  let changes = 0
  let fresh = 0
  for (const row of rows) {
    const { id, n, row: form, status, what } = row
    if (what === "changes") changes = Number(n)
    else if (what === "block") {
      blocks.push({ build: String(id), size: Number(n), upto: memberOf(row, "upto") })
    } else {
      if (what === "fresh") fresh += 1
      loose.push({
        ...memberOf(row, "id"),
        row: String(form),
        status: (status as ManifestStatus | null) ?? undefined,
        isChanged: what === "changed",
      })
    }
  }
  blocks.sort((a, b) => compareMembers(a.upto, b.upto))
  return { blocks, loose, changes, fresh }
}

/** Compares by age. Older members come first. */
export const compareMembers = (a: Member, b: Member): number =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/**
 * Returns the number of the block for a manifest's age; for a newer one, the number after the last.
 */
export const blockOf = (blocks: ReadonlyArray<Block>, member: Member): number => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const block = blocks[middle]
    if (block !== undefined && compareMembers(member, block.upto) > 0) low = middle + 1
    else high = middle
  }
  return low
}

/** Sorts before every member. */
export const BEGINNING: Member = {
  created_at: 0,
  id: "00000000-0000-0000-0000-000000000000",
}
