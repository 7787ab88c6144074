/** The roles of operators' keys: read, review identities, or create and change accounts. */
export const OPERATOR_ROLES = ["read", "review", "accounts"] as const
/** One of {@link OPERATOR_ROLES}. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** A key of an operator. */
export interface OperatorKey {
  /** The operator's name; null for the shared key. */
  readonly name: string | null
  readonly roles: ReadonlySet<OperatorRole>
  /** Lower-case hex SHA-256 of the key. */
  readonly hash: string
}

/** Makes the key that operators share; it has every role. */
export const sharedKey = (hash: string): OperatorKey => ({
  name: null,
  roles: new Set(OPERATOR_ROLES),
  hash,
})

/** Tells whether a key has the role. Every key with a role may read lists. */
export const mayAct = ({ roles }: OperatorKey, needed: OperatorRole): boolean =>
  needed === "read" ? roles.size > 0 : roles.has(needed)

/**
 * Returns the names of the operators whose approval counts where raising limits takes two: those
 * with the role `review`. Undefined where no key has a name. Once a key has a name, the shared key
 * does not count.
 */
export const reviewersOf = (keys: ReadonlyArray<OperatorKey>): ReadonlySet<string> | undefined => {
  const named = keys.filter((key) => key.name !== null)
  if (named.length === 0) return undefined
  return new Set(named.flatMap((key) => (mayAct(key, "review") ? [`operator:${key.name}`] : [])))
}
