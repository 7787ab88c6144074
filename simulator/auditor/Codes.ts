import type { Timestamp } from "../../core/shared/Timestamp.ts"
import type { Knowledge } from "./Knowledge.ts"

interface Sent {
  readonly code: string
  /** How many the verification has had, with this one: a later one may be overtaken. */
  readonly number: number
  readonly at: Timestamp
}

/** The codes that were sent, and what was said about answers to them. */
export class Codes {
  readonly #sent = new Map<string, Sent>()
  readonly #codes = new Set<string>()
  readonly #used = new Set<string>()
  readonly #told = new Set<string>()

  /** Whether that was sent to anybody as a code. */
  isCode(code: string): boolean {
    return this.#codes.has(code)
  }

  send(verificationId: string, sent: Sent): void {
    this.#codes.add(sent.code)
    const last = this.#sent.get(verificationId)?.number ?? 0
    if (sent.number >= last) this.#sent.set(verificationId, sent)
  }

  latest(verificationId: string): Sent | undefined {
    return this.#sent.get(verificationId)
  }

  /** Whether a code of the verification was taken before; it has been now. */
  use(verificationId: string): boolean {
    const before = this.#used.has(verificationId)
    this.#used.add(verificationId)
    return before
  }

  /** Whether it was told before that so many answers are left; it has been now. */
  tell(verificationId: string, left: number): boolean {
    const name = `${verificationId} ${left}`
    const before = this.#told.has(name)
    this.#told.add(name)
    return before
  }
}

/** What the auditor keeps in mind of codes: no write tells of them. */
export const codes: Knowledge<Codes> = {
  name: "codes",
  make: () => new Codes(),
  learn: () => undefined,
}
