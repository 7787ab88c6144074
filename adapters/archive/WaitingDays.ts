import { randomUUID } from "node:crypto"
import { readFile, rename, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fromIso, type Timestamp, utcDay } from "../../core/shared/Timestamp.ts"
import { makeFolder } from "../shared/makeFolder.ts"
import { flush, hasCode, UNFINISHED } from "./files.ts"

const startOf = (day: unknown): Timestamp | undefined =>
  typeof day === "string" && /^\d{4}-\d\d-\d\d$/.test(day) ? fromIso(`${day}T00:00:00Z`) : undefined

/**
 * The days of a table that wait, such as `waiting/events.json`: what their marks say, once more.
 * Nothing else tells the oldest day, whose mark is lost, from one that was moved elsewhere.
 */
export class WaitingDays {
  readonly #folder: string
  readonly #path: string

  constructor(path: string) {
    this.#folder = dirname(path)
    this.#path = path
  }

  /** Returns the starts of the days, oldest first. Throws if the file is no list of days. */
  async read(): Promise<ReadonlyArray<Timestamp>> {
    const text = await readFile(this.#path, "utf8").catch((error: unknown) =>
      hasCode(error, "ENOENT") ? "[]" : Promise.reject(error),
    )
    const named: unknown = JSON.parse(text)
    const days = Array.isArray(named) ? named.map(startOf) : [undefined]
    if (days.includes(undefined)) throw new Error("it is no list of days")
    return days.filter((day) => day !== undefined).toSorted((one, other) => one - other)
  }

  /** Adds a day, or leaves it out, unless it is so already. The file is replaced as a whole. */
  async change(day: Timestamp, waits: boolean): Promise<void> {
    const days = await this.read()
    if (days.includes(day) === waits) return
    const next = waits ? [...days, day] : days.filter((each) => each !== day)
    await makeFolder(this.#folder)
    const part = join(this.#folder, `.${randomUUID()}${UNFINISHED}`)
    try {
      await writeFile(part, `${JSON.stringify(next.toSorted((a, b) => a - b).map(utcDay))}\n`)
      await flush(part)
      await rename(part, this.#path)
    } finally {
      await rm(part, { force: true })
    }
    await flush(this.#folder)
  }
}
