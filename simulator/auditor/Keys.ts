import type { Knowledge } from "./Knowledge.ts"

/** What was sent and made under Idempotency-Keys, by account. */
export class Keys {
  readonly #asked = new Map<string, Array<string>>()
  readonly #answers = new Map<string, Map<string, string>>()
  readonly #made = new Map<string, string>()

  ask(account: string, key: string, request: string): void {
    const name = `${account} ${key}`
    const asked = this.#asked.get(name)
    if (asked === undefined) this.#asked.set(name, [request])
    else asked.push(request)
  }

  /** The requests that the account has sent under the key, each as often as it was sent. */
  asked(account: string, key: string): ReadonlyArray<string> {
    return this.#asked.get(`${account} ${key}`) ?? []
  }

  /** Keeps what an account was answered; returns who else was answered the same under the key. */
  answer(account: string, key: string, text: string): string | undefined {
    const answers = this.#answers.get(key) ?? new Map<string, string>()
    this.#answers.set(key, answers.set(account, text))
    for (const [other, given] of answers) if (other !== account && given === text) return other
    return undefined
  }

  /** Notes what a request has made of a kind; returns what it had made before. */
  make(account: string, key: string, kind: string, id: string): string | undefined {
    const name = `${account} ${key} ${kind}`
    const before = this.#made.get(name)
    if (before === undefined) this.#made.set(name, id)
    return before
  }

  /** What a request has made of a kind; undefined where it has made none. */
  made(account: string, key: string, kind: string): string | undefined {
    return this.#made.get(`${account} ${key} ${kind}`)
  }
}

/** What the auditor keeps in mind of keys: its rules tell it, since no write does. */
export const keys: Knowledge<Keys> = {
  name: "keys",
  make: () => new Keys(),
  learn: () => undefined,
}
