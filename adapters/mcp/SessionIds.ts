import { randomUUID } from "node:crypto"
import type { Vault } from "../../core/ports/Vault.ts"

/** The holder of a session: the id of a valid key, if one was sent, and the path. */
export interface Holder {
  readonly key: string | undefined
  readonly path: string
}

const FORM = /^([0-9a-f-]{36})\.([0-9a-z]{1,11})\.(key|any)\.([0-9a-f]{32})$/

/** Half of an HMAC-SHA256: it cannot be guessed within the day for which it is checked. */
const MAC_LENGTH = 32

/**
 * Session ids that every process of an installation recognizes. They contain the time of opening,
 * and are signed together with the path and the key. Times are in milliseconds.
 */
export class SessionIds {
  readonly #vault: Pick<Vault["Service"], "equal" | "fingerprint">
  readonly #longest: number
  readonly #now: () => number

  /** `longest` is the duration of a session. `now` must be the same in all processes. */
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

  /** Returns the id of a new session. */
  make({ key, path }: Holder): string {
    const opened = this.#now().toString(36)
    const name = `${randomUUID()}.${opened}.${key === undefined ? "any" : "key"}`
    return `${name}.${this.#sign(name, path, key ?? "")}`
  }

  /**
   * Returns how long ago a process of this installation opened the session at this path, with this
   * key or with none. Undefined if none did, or if the session is over.
   */
  ageOf(id: string, { key, path }: Holder): number | undefined {
    const [, random = "", opened = "", by, mac = ""] = FORM.exec(id) ?? []
    if (by === undefined || (by === "key" && key === undefined)) return undefined
    const age = this.#now() - Number.parseInt(opened, 36)
    const signed = this.#sign(`${random}.${opened}.${by}`, path, by === "key" ? (key ?? "") : "")
    return this.#vault.equal(mac, signed) && age < this.#longest ? Math.max(0, age) : undefined
  }
}
