import type { HttpApiGroup } from "effect/http-api"
import type { Channels } from "../../../core/ports/Channels.ts"
import type { ClientDocuments } from "../../../core/ports/ClientDocuments.ts"
import type { ContactRules } from "../../../core/ports/ContactRules.ts"
import type { Documents } from "../../../core/ports/Documents.ts"
import type { IdentityVerifier } from "../../../core/ports/IdentityVerifier.ts"
import type { Ids } from "../../../core/ports/Ids.ts"
import type { Installation } from "../../../core/ports/Installation.ts"
import type { Language } from "../../../core/ports/Language.ts"
import type { Messenger } from "../../../core/ports/Messenger.ts"
import type { QrReader } from "../../../core/ports/QrReader.ts"
import type { QrWriter } from "../../../core/ports/QrWriter.ts"
import type { Rates } from "../../../core/ports/Rates.ts"
import type { ReceiverAddress } from "../../../core/ports/ReceiverAddress.ts"
import type { Store } from "../../../core/ports/Store.ts"
import type { Vault } from "../../../core/ports/Vault.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"

/** The ports that the use cases behind the interface need. */
export type Core =
  | Store
  | Vault
  | Documents
  | Ids
  | Installation
  | Channels
  | Rates
  | ReceiverAddress
  | ClientDocuments
  | ContactRules
  | IdentityVerifier
  | Messenger
  | QrReader
  | QrWriter
  | Language

/** A handler for every endpoint of a group that needs no other ports. */
export type CoreHandlers<G extends HttpApiGroup.Constraint> = GroupHandlers<G, Core>
