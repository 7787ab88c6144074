import type { Shares } from "../ports/Store.ts"
import type { WebhookOutcome } from "../ports/WebhookSender.ts"
import { FIRST_SHARE, nextShare } from "../webhooks/Share.ts"

/** So many receivers are remembered that have nothing under way. */
const MOST_REMEMBERED = 10_000

interface Receiver {
  busy: number
  share: number
}

/** What this worker has under way at each receiver, and how much more it may begin there. */
export class Receivers {
  readonly #known = new Map<string, Receiver>()

  shares(): Shares {
    const left = new Map<string, number>()
    for (const [id, { busy, share }] of this.#known) left.set(id, Math.max(share - busy, 0))
    return { each: FIRST_SHARE, left }
  }

  begin(id: string): void {
    const receiver = this.#known.get(id) ?? { busy: 0, share: FIRST_SHARE }
    receiver.busy += 1
    this.#known.set(id, receiver)
  }

  learn(id: string, outcome: WebhookOutcome): void {
    const receiver = this.#known.get(id)
    if (receiver !== undefined) receiver.share = nextShare(receiver.share, outcome)
  }

  end(id: string): void {
    const receiver = this.#known.get(id)
    if (receiver === undefined) return
    receiver.busy -= 1
    if (receiver.busy > 0) return
    this.#known.delete(id)
    // What is known of the usual receiver goes without saying; others go in the order of their use.
    if (receiver.share >= FIRST_SHARE) return
    this.#known.set(id, receiver)
    if (this.#known.size > MOST_REMEMBERED) this.#forgetOne()
  }

  #forgetOne(): void {
    for (const [id, { busy }] of this.#known) {
      if (busy === 0) {
        this.#known.delete(id)
        return
      }
    }
  }
}
