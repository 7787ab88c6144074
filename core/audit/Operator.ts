/** What an operator's key may do: read, review identities, or open and change accounts. */
export const OPERATOR_ROLES = ["read", "review", "accounts"] as const
/** One of {@link OPERATOR_ROLES}. */
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

/** A key of an operator. */
export interface OperatorKey {
  /** Whose it is; null for the key that an installation's operators share. */
  readonly name: string | null
  readonly roles: ReadonlySet<OperatorRole>
  /** Lower-case hex SHA-256 of the key. */
  readonly hash: string
}

/** The key that operators share, which may do everything. */
export const sharedKey = (hash: string): OperatorKey => ({
  name: null,
  roles: new Set(OPERATOR_ROLES),
  hash,
})

/** Whether a key may do what takes that role. Whoever may do anything may read lists. */
export const mayAct = ({ roles }: OperatorKey, needed: OperatorRole): boolean =>
  needed === "read" ? roles.size > 0 : roles.has(needed)

/**
 * Who may be one of the two operators that raising somebody's limits takes, by their names: those
 * who review. Undefined where nobody has a name; as soon as somebody has, the shared key is neither
 * of the two.
 */
export const reviewersOf = (keys: ReadonlyArray<OperatorKey>): ReadonlySet<string> | undefined => {
  const named = keys.filter((key) => key.name !== null)
  if (named.length === 0) return undefined
  return new Set(named.flatMap((key) => (mayAct(key, "review") ? [`operator:${key.name}`] : [])))
}
