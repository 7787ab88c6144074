import "../audit/AuditEntry.ts"
import type { KindDeclaration } from "../commits/KindDeclaration.ts"
import type { DueKind, Kind } from "../commits/Records.ts"
import "../idempotency/Reply.ts"
import "../ledger/Posting.ts"
import * as everyKind from "./everyKind.ts"
// This import makes the compiled types of this file declare every kind, too.
import "./everyKind.ts"
import "../installs/BudgetAlert.ts"
import "../keys/KeyEvent.ts"
import "../invoices/InvoiceView.ts"
import "../invoices/SubscriptionView.ts"
import "../kyc/verifications/KycEvent.ts"
import "../payments/PaymentEvent.ts"
import "../refunds/RefundEvent.ts"
import "../revocations/RevocationEvent.ts"
import "../webhooks/deliveries/DeliveryReport.ts"
import "../webhooks/endpoints/EndpointHealth.ts"

/** How every kind of record is kept. */
export const KINDS: { readonly [K in Kind]: KindDeclaration<K> } = everyKind

/** The names of all kinds. */
export const ALL_KINDS = Object.keys(KINDS) as ReadonlyArray<Kind>

const isDue = (kind: Kind): kind is DueKind => KINDS[kind].dueAt !== undefined

/** The kinds that a worker handles: their records have a time at which they are due. */
export const DUE_KINDS: ReadonlyArray<DueKind> = ALL_KINDS.filter(isDue)
