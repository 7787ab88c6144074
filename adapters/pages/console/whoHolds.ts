import { Effect } from "effect"
import { authenticate, invalidKey } from "../../../core/accounts/authenticate.ts"
import type { Account } from "../../../core/accounts/Account.ts"
import { bearerKey } from "../../../core/accounts/ApiKey.ts"
import type { KeyRestrictions } from "../../../core/accounts/KeyRestrictions.ts"
import type { OperatorKey, OperatorRole } from "../../../core/audit/Operator.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { catchFailure } from "../../../core/shared/catchFailure.ts"

/** Who is signed in, for the page. It does not contain the key. */
export type SignedIn =
  | {
      readonly role: "seller" | "buyer"
      readonly account: Pick<Account, "agent_id" | "id" | "name" | "plan">
      readonly api_key_id: string
      readonly restrictions: KeyRestrictions | null
    }
  | {
      readonly role: "operator"
      /** Null for the operators' shared key. */
      readonly name: string | null
      readonly roles: ReadonlyArray<OperatorRole>
    }

/**
 * Returns the holder of the key in a header: an operator or an account. Every operator's key is
 * compared, also after a match. Fails as `authenticate` does.
 */
export const whoHolds = Effect.fnUntraced(function* (
  authorization: string,
  operators: ReadonlyArray<OperatorKey>,
  address: string,
) {
  const vault = yield* Vault
  const hashed = vault.sha256(bearerKey(authorization) ?? "")
  const [operator] = operators.filter(({ hash }) => vault.equal(hash, hashed))
  if (operator !== undefined) {
    const { name, roles } = operator
    return { role: "operator", name, roles: [...roles] } satisfies SignedIn
  }
  // Both kinds of key sign in here, so that neither is wrong by its form.
  const { account, api_key_id, restrictions } = yield* authenticate(authorization, address).pipe(
    catchFailure(["INVALID_API_KEY"], invalidKey),
  )
  const { agent_id, id, kind, name, plan } = account
  return {
    role: kind,
    account: { agent_id, id, name, plan },
    api_key_id,
    restrictions: restrictions ?? null,
  } satisfies SignedIn
})
