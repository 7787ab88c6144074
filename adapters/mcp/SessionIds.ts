import { randomUUID } from "node:crypto"
import type { Vault } from "../../core/ports/Vault.ts"

/** Who opens or uses a session where: the id of the key, if a valid one was sent, and the door. */
export interface Holder {
  readonly key: string | undefined
  readonly path: string
}

const FORM = /^([0-9a-f-]{36})\.([0-9a-z]{1,11})\.(key|any)\.([0-9a-f]{32})$/

/** Half of an HMAC-SHA256: nobody guesses it, and it is looked at for a day at most. */
const MAC_LENGTH = 32

/**
 * Ids of sessions that every process of an installation knows for its own: they say when a session
 * was opened, and are signed together with its door and its key. Times are in milliseconds.
 */
export class SessionIds {
  readonly #vault: Pick<Vault["Service"], "equal" | "fingerprint">
  readonly #longest: number
  readonly #now: () => number

  /** `longest` is how long a session lasts; `now` is the time of all processes. */
  constructor(
    vault: Pick<Vault["Service"], "equal" | "fingerprint">,
    longest: number,
    now: () => number = () => Date.now(),
  ) {
    this.#vault = vault
    this.#longest = longest
    this.#now = now
  }

  #sign(name: string, path: string, key: string): string {
    const text = `mcp session ${name} ${path} ${key}`
    return this.#vault.fingerprint(text).slice(0, MAC_LENGTH)
  }

  /** The id of a new session. */
  make({ key, path }: Holder): string {
    const opened = this.#now().toString(36)
    const name = `${randomUUID()}.${opened}.${key === undefined ? "any" : "key"}`
    return `${name}.${this.#sign(name, path, key ?? "")}`
  }

  /**
   * How long ago a process of this installation opened the session at this door, by this key or by
   * none; undefined where none did, or where its time is over.
   */
  ageOf(id: string, { key, path }: Holder): number | undefined {
    const [, random = "", opened = "", by, mac = ""] = FORM.exec(id) ?? []
    if (by === undefined || (by === "key" && key === undefined)) return undefined
    const age = this.#now() - Number.parseInt(opened, 36)
    const signed = this.#sign(`${random}.${opened}.${by}`, path, by === "key" ? (key ?? "") : "")
    return this.#vault.equal(mac, signed) && age < this.#longest ? Math.max(0, age) : undefined
  }
}
