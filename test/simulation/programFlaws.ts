import { Effect } from "effect"
import type { ApiKey } from "../../core/accounts/ApiKey.ts"
import type { OauthGrant } from "../../core/accounts/OauthGrant.ts"
import type { Write } from "../../core/ports/Store.ts"
import { HOUR } from "../../core/shared/Timestamp.ts"
import { authorizedPrograms } from "../../simulator/parts/authorizedPrograms.ts"
import { changing } from "../support/finding.ts"
import { type Flaw, storing } from "./flaw.ts"

const flaw = (name: string, alterations: Flaw["alterations"]): Flaw => ({
  name,
  noticed_by: [124],
  alterations,
  parts: [authorizedPrograms.name],
})

/** A store from which programs' grants are read otherwise. */
const reading = (change: (key: ApiKey, grant: OauthGrant) => ApiKey): Flaw["alterations"] => ({
  store: (store) => ({
    ...store,
    find: changing(store, "api_key", (key) => (key.oauth === null ? key : change(key, key.oauth))),
  }),
})

const isEndOfGrant = (write: Write): boolean =>
  write.kind === "api_key" &&
  write.op === "replace" &&
  write.record.oauth !== null &&
  write.record.revoked_at !== null

/** Flaws of programs that people let pay. */
export const programFlaws: ReadonlyArray<Flaw> = [
  flaw(
    "a program goes on after its token came twice",
    storing((commit) => ({
      ...commit,
      writes: commit.writes.filter((write) => !isEndOfGrant(write)),
    })),
  ),
  flaw(
    "a program's code is valid for hours",
    reading((key, { code_expires_at, ends_at, ...grant }) => ({
      ...key,
      expires_at: ends_at,
      oauth: { ...grant, ends_at, code_expires_at: code_expires_at + 2 * HOUR },
    })),
  ),
  flaw("a program's token opens every address", {
    store: (store) => ({
      ...store,
      findCredential: (hash) =>
        Effect.map(store.findCredential(hash), (found) =>
          found === undefined
            ? undefined
            : { ...found, api_key: { ...found.api_key, oauth: null } },
        ),
    }),
  }),
  flaw(
    "a code goes to an address that the person never saw",
    reading((key, grant) => ({
      ...key,
      oauth: { ...grant, redirect_uri: `${grant.redirect_uri}/elsewhere` },
    })),
  ),
]
