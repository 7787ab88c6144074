import { Effect } from "effect"
import { Vault } from "../../ports/Vault.ts"
import type { ChannelCredentials, IdentityData } from "./Submission.ts"
import { dataPlace, type Verification } from "./Verification.ts"

/** All submitted data about a person. It is sealed and erased together. */
export interface Personal {
  readonly data: IdentityData
  readonly credentials: ChannelCredentials
  /** The reason of an appeal. */
  readonly appeal?: string
}

const NOTHING: Personal = { data: {}, credentials: {} }

/** Seals the data for the verification of that id. */
export const sealPersonal = Effect.fnUntraced(function* (id: string, personal: Personal) {
  return (yield* Vault).seal(dataPlace(id), JSON.stringify(personal))
})

/** Opens the data of a verification; returns nothing once it has been erased. */
export const openPersonal = Effect.fnUntraced(function* ({
  id,
  sealed,
}: Pick<Verification, "id" | "sealed">) {
  if (sealed === null) return NOTHING
  const text = yield* Effect.orDie((yield* Vault).open(dataPlace(id), sealed))
  return JSON.parse(text) as Personal
})
