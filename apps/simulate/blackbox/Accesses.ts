import type { Scope } from "../../../core/registry/RevocationScope.ts"
import type { Gate } from "../../../simulator/players/PlayerWorld.ts"
import type { SeenRefund } from "../../../simulator/blackbox/Seen.ts"
import type { Witness } from "../../../simulator/blackbox/Witness.ts"
import type { Actor, ApiClient } from "./ApiClient.ts"

/** An access in the response to its registration. */
interface Access {
  readonly type: Gate["type"]
  readonly id: string
  readonly payment_intent: string | null
  readonly scopes: ReadonlyArray<Scope>
}

/** The accesses that payments bought, as the sellers know them. */
export class Accesses {
  readonly #client: ApiClient
  readonly #witness: Witness
  readonly #items = new Map<string, Array<Access>>()

  constructor(client: ApiClient, witness: Witness) {
    this.#client = client
    this.#witness = witness
  }

  /** Adds the access of a registration's response; undefined if it was refused. */
  register(who: Actor, intent: string, answer: unknown): void {
    if (answer === undefined) return
    const item = answer as Access
    this.#items.set(intent, [...(this.#items.get(intent) ?? []), item])
    this.#show(who, item, [])
  }

  /** Asks as a seller's gates what is left of the accesses that it has registered. */
  async ask(who: Actor, intent: string, gates: ReadonlyArray<Gate>): Promise<void> {
    await this.#learn(who, intent)
    const items = this.#items.get(intent) ?? []
    const { auditor } = this.#witness
    for (const { id, scope, type } of gates) {
      if (!items.some((item) => item.id === id && item.type === type)) continue
      const since = auditor.model.step
      const body = { type, id, ...(scope !== null && { scope }) }
      const path = "/v1/access-items/introspect"
      const state = await this.#client.post<{ readonly active: boolean }>(who, path, body)
      if (state === undefined) continue
      const { active } = state
      auditor.see("gate", id, { account: who.name, type, id, scope, active, since })
    }
  }

  /** Reads which of a payment's accesses its refunds have revoked by now. */
  async #learn(who: Actor, intent: string): Promise<void> {
    const path = `/v1/refunds?payment_intent=${intent}&limit=100`
    const list = await this.#client.get<{ readonly data: ReadonlyArray<SeenRefund> }>(who, path)
    const revoked = (list?.data ?? []).flatMap(({ revocations }) =>
      revocations.filter(({ status }) => status === "revoked"),
    )
    for (const item of this.#items.get(intent) ?? []) {
      const gone = revoked.filter(
        ({ target_id, target_type }) => target_id === item.id && target_type === item.type,
      )
      const scopes = gone.map(({ scope }) => scope)
      this.#show(who, item, scopes)
    }
  }

  #show(who: Actor, { id, payment_intent, scopes, type }: Access, revoked: ReadonlyArray<string>) {
    const item = { account_id: who.name, type, item_id: id, payment_intent, scopes }
    this.#witness.access(item, revoked)
  }
}
