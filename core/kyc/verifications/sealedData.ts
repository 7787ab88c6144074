import { Effect } from "effect"
import { Vault } from "../../ports/Vault.ts"
import type { ChannelCredentials, IdentityData } from "./Submission.ts"
import { dataPlace, type Verification } from "./Verification.ts"

/** All that was said about a person, which is kept sealed and erased together. */
export interface Personal {
  readonly data: IdentityData
  readonly credentials: ChannelCredentials
  /** The reason of an appeal. */
  readonly appeal?: string
}

const NOTHING: Personal = { data: {}, credentials: {} }

/** What was said, sealed for the verification of that id. */
export const sealPersonal = Effect.fnUntraced(function* (id: string, personal: Personal) {
  return (yield* Vault).seal(dataPlace(id), JSON.stringify(personal))
})

/** What was said for a verification; nothing once it has been erased. */
export const openPersonal = Effect.fnUntraced(function* ({
  id,
  sealed,
}: Pick<Verification, "id" | "sealed">) {
  if (sealed === null) return NOTHING
  const text = yield* Effect.orDie((yield* Vault).open(dataPlace(id), sealed))
  return JSON.parse(text) as Personal
})
