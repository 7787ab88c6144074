import type { Kind, Write } from "../../core/ports/Store.ts"
import type { Knowledge } from "./Knowledge.ts"

/** Every record as it was committed last; null for one that was removed. */
export type Kept = Map<Kind, Map<string, Write["record"] | null>>

/** What the auditor keeps in mind of everything that was committed. */
export const kept: Knowledge<Kept> = {
  name: "kept",
  make: () => new Map(),
  learn: (known, { kind, op, record }) => {
    const records = known.get(kind) ?? new Map<string, Write["record"] | null>()
    known.set(kind, records.set(record.id, op === "remove" ? null : record))
  },
}
