import { Effect } from "effect"
import { Ids } from "../../ports/Ids.ts"
import { Vault } from "../../ports/Vault.ts"
import type { EndpointKey } from "./Endpoint.ts"
import { bytesOf, fingerprintOf } from "../keys/PublicKey.ts"

/** Returns the stored form of a public key, with a new id. */
export const makeEndpointKey = Effect.fnUntraced(function* (public_key: string) {
  const vault = yield* Vault
  const ids = yield* Ids
  const key: EndpointKey = {
    id: `whk_${ids.uuid()}`,
    key_type: "x25519",
    public_key,
    fingerprint: fingerprintOf(vault.sha256(bytesOf(public_key))),
  }
  return key
})
