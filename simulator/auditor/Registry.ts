import type { Write } from "../../core/ports/Store.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Knowledge } from "./Knowledge.ts"

/** A manifest as it was stored; undefined from when it was forgotten. */
interface Stored {
  readonly record: ServiceManifest | undefined
  /** The model's step, and the time. */
  readonly step: number
  readonly at: Timestamp
}

/** A manifest, and what it has been within some time; undefined for when it was not there. */
export interface Span {
  readonly id: string
  readonly records: ReadonlyArray<ServiceManifest | undefined>
}

/** What every manifest has been, and which of them is active under each name. */
export class Registry {
  readonly #histories = new Map<string, Array<Stored>>()
  #step = 0
  readonly #active = new Map<string, string>()

  /** Each manifest, with what it was at a step of the model and has been since. */
  since(step: number): ReadonlyArray<Span> {
    return this.#spans((stored) => stored.step <= step)
  }

  /** The same from a time on. */
  from(at: Timestamp): ReadonlyArray<Span> {
    return this.#spans((stored) => stored.at <= at)
  }

  /** The manifest as it was stored last. */
  latest(id: string): ServiceManifest | undefined {
    return this.#histories.get(id)?.at(-1)?.record
  }

  /** When a manifest was first stored in a status; never where it was not. */
  becameAt(id: string, status: ServiceManifest["status"]): Timestamp {
    const first = this.#histories.get(id)?.find(({ record }) => record?.status === status)
    return first?.at ?? Infinity
  }

  /** The id of the active manifest of a name. */
  active(name: string): string | undefined {
    return this.#active.get(plain(name))
  }

  learn(write: Write, at: Timestamp): void {
    this.#step += 1
    if (write.kind !== "service") return
    const { op, record } = write
    const before = this.latest(record.id)
    if (before !== undefined && this.active(before.name) === record.id) {
      this.#active.delete(plain(before.name))
    }
    if (op !== "remove" && record.status === "active") {
      this.#active.set(plain(record.name), record.id)
    }
    const stored = { record: op === "remove" ? undefined : record, step: this.#step, at }
    const history = this.#histories.get(record.id)
    if (history === undefined) this.#histories.set(record.id, [stored])
    else history.push(stored)
  }

  #spans(isBefore: (stored: Stored) => boolean): ReadonlyArray<Span> {
    return [...this.#histories].map(([id, history]) => {
      const first = history.findLastIndex(isBefore)
      const there = history.slice(Math.max(first, 0)).map(({ record }) => record)
      return { id, records: first < 0 ? [undefined, ...there] : there }
    })
  }
}

/** What of a name tells it from others: neither its case nor its spaces. */
const plain = (name: string): string =>
  name.normalize("NFC").trim().split(/\s+/).join(" ").toLowerCase()

/** What the auditor keeps in mind of manifests. */
export const registry: Knowledge<Registry> = {
  name: "registry",
  make: () => new Registry(),
  learn: (known, write, at) => known.learn(write, at),
}
