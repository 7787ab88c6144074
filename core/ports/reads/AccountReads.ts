import type { Account } from "../../accounts/Account.ts"
import type { ApiKey } from "../../accounts/ApiKey.ts"
import type { Reply } from "../../idempotency/Reply.ts"
import type { OwnQuery } from "../../shared/Page.ts"
import type { Read } from "./Read.ts"

/** A key that a caller presented, with the account that it opens. */
export interface Credential {
  readonly api_key: ApiKey
  readonly account: Account
}

/** Who calls: accounts, their keys and what they were answered. */
export interface AccountReads {
  readonly findCredential: (hash: string) => Read<Credential | undefined>
  readonly findAccountByAgent: (agentId: string) => Read<Account | undefined>
  readonly listApiKeys: (query: OwnQuery) => Read<ReadonlyArray<ApiKey>>
  readonly findReply: (accountId: string, key: string) => Read<Reply | undefined>
}
