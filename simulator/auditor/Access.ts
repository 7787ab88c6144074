// Written independently of core/revocations on purpose: see Model.ts.

import type { AccessItem } from "../../core/revocations/AccessItem.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"

const NESTED: ReadonlyArray<string> = ["read:summary", "read:detail", "read:full"]

/** Whether one scope includes the other: `all` includes every scope, and the three are ordered. */
export const holds = (wider: string, scope: string): boolean =>
  wider === "all" ||
  wider === scope ||
  (NESTED.includes(scope) && NESTED.indexOf(wider) > NESTED.indexOf(scope))

/** Whether nothing is left of a scope of the access. */
export const isTaken = ({ revoked }: AccessItem, scope: string): boolean =>
  revoked.some((taken) => holds(taken.scope, scope))

/** An access as a gate names it. */
interface Named {
  readonly account: string
  readonly type: string
  readonly id: string
}

/** The auditor's knowledge about accesses and about the orders to revoke them. */
export class Access {
  readonly #names = new Map<string, AccessItem>()
  /** The model's step at which each was stored. */
  readonly #stored = new WeakMap<AccessItem, number>()
  readonly #asked = new Map<string, ReadonlyArray<Timestamp>>()

  /** Every known access. */
  get items(): Iterable<AccessItem> {
    return this.#names.values()
  }

  /** Returns an access as it was stored last; undefined if it is unknown. */
  item({ account, id, type }: Named): AccessItem | undefined {
    return this.#names.get(`${account} ${type} ${id}`)
  }

  /** Whether the access was stored after a step of the model. */
  isNewer(item: AccessItem, step: number): boolean {
    return (this.#stored.get(item) ?? 0) > step
  }

  /** Returns when somebody was asked to carry out a revocation. */
  askedFor(revocationId: string): ReadonlyArray<Timestamp> {
    return this.#asked.get(revocationId) ?? []
  }

  store(item: AccessItem, step: number): void {
    this.#names.set(`${item.account_id} ${item.type} ${item.item_id}`, item)
    this.#stored.set(item, step)
  }

  ask(revocationId: string, times: ReadonlyArray<Timestamp>): void {
    this.#asked.set(revocationId, times)
  }
}
