import { defineKind } from "../commits/KindDeclaration.ts"
import { Schema } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"
import { anyCovers, type Scope } from "../registry/RevocationScope.ts"
import type { TargetType } from "../registry/RevocationTarget.ts"
import { shownAs } from "../shared/View.ts"

/** A scope of an access that was revoked for good. */
export interface RevokedScope {
  readonly scope: Scope
  readonly revoked_at: Timestamp
}

/**
 * What a payment bought: a token, a URL, a session or a key that a seller's gate asks about. An
 * item that was revoked before its registration has no payment and is on the deny list.
 */
export interface AccessItem {
  /** `ai_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The seller's account. Each seller has its own identifiers. */
  readonly account_id: string
  readonly type: TargetType
  /** The seller's own identifier. */
  readonly item_id: string
  /** The name it is found by: a hash of type and identifier. */
  readonly item_key: string
  readonly payment_intent: string | null
  readonly scopes: ReadonlyArray<Scope>
  /** Grows and never shrinks. */
  readonly revoked: ReadonlyArray<RevokedScope>
  readonly created_at: Timestamp
}

const revokedScopes = (item: AccessItem): ReadonlyArray<Scope> =>
  item.revoked.map(({ scope }) => scope)

/** Returns whether that scope of the item is revoked as a whole. */
export const isRevoked = (item: AccessItem, scope: Scope): boolean =>
  anyCovers(revokedScopes(item), scope)

/** Returns the item after the revocation of a scope. */
export const revoke = (item: AccessItem, scope: Scope, revoked_at: Timestamp): AccessItem =>
  isRevoked(item, scope) ? item : { ...item, revoked: [...item.revoked, { scope, revoked_at }] }

/** Returns the registered scopes that are not revoked as a whole. */
const remaining = (item: AccessItem): ReadonlyArray<Scope> =>
  item.scopes.filter((scope) => !isRevoked(item, scope))

/**
 * Returns whether the item still allows that scope: a granted one covers it and no revoked one
 * does.
 */
const allows = (item: AccessItem, scope: Scope): boolean =>
  anyCovers(item.scopes, scope) && !isRevoked(item, scope)

/** The answer to a gate. An unregistered item is not active. */
export const AccessView = Schema.Struct({
  active: Schema.Boolean.annotate({
    description: "Whether any scope is still active, or the requested one.",
  }),
  scopes: Schema.Array(Schema.String).annotate({
    description: "The registered scopes that were not fully revoked.",
  }),
  revoked_scopes: Schema.Array(Schema.String).annotate({
    description: "The permanently revoked scopes, including those that nobody registered.",
  }),
}).annotate({
  identifier: "AccessState",
  description: "The state of an access item. An unregistered item is not active.",
  examples: [{ active: true, scopes: ["read:full"], revoked_scopes: ["read:summary"] }],
})

/** Returns the view, see {@link AccessView}. `scope` is the scope that the gate asks about. */
export const accessOf = (item: AccessItem | undefined, scope?: Scope): typeof AccessView.Type => {
  if (item === undefined) return { active: false, scopes: [], revoked_scopes: [] }
  const scopes = remaining(item)
  return {
    active: scope === undefined ? scopes.length > 0 : allows(item, scope),
    scopes,
    revoked_scopes: revokedScopes(item),
  }
}

/** An item as its seller sees it. */
export const ItemView = Schema.Struct({
  id: Schema.String.annotate({ description: "The access item's id, chosen by the seller." }),
  type: Schema.String.annotateKey({ description: "The kind of access." }),
  payment_intent: Schema.NullOr(Schema.String).annotateKey({
    description: "The payment that bought the access; null if nobody registered it.",
  }),
  ...AccessView.fields,
}).annotate({
  identifier: "AccessItem",
  description: "An access item that a payment bought.",
  examples: [
    {
      id: "tok_8F3a",
      type: "access_token",
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      active: true,
      scopes: ["read:full"],
      revoked_scopes: [],
    },
  ],
})

/** Returns the view, see {@link ItemView}. */
export const itemView = (item: AccessItem) =>
  shownAs(ItemView, item, { id: item.item_id, ...accessOf(item) })

/** Returns the name that an item is found by, for any seller. */
export const itemKey = (
  sha256: (text: string) => string,
  type: TargetType,
  itemId: string,
): string => sha256(`${type} ${itemId}`)

/** Returns the counter of a payment's items. */
export const itemCounter = (intentId: string): string => `access_items:${intentId}`

declare module "../commits/Records.ts" {
  interface Records {
    readonly access_item: AccessItem
  }
}

/** How access items are kept. */
export const accessItemKind = defineKind("access_item", {
  prefix: "ai",
  erased: true,
  // The key comes first, so that the index also finds other sellers' registrations.
  unique: [{ by: ["item_key", "account_id"] }],
  lists: [["payment_intent"], ["item_key"]],
})
