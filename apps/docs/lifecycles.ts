import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { machine as channelRequest } from "../../core/gateway/ChannelRequest.ts"
import { machine as mandate } from "../../core/installs/Mandate.ts"
import { appealMachine } from "../../core/kyc/reviews/Appeal.ts"
import { machine as verification } from "../../core/kyc/verifications/VerificationMachine.ts"
import { machine as oneTimePay } from "../../core/payments/OneTimePay.ts"
import { machine as requestPayment } from "../../core/payments/RequestPayment.ts"
import { machine as refundRequest } from "../../core/refundRequests/RefundRequest.ts"
import { machine as refund } from "../../core/refunds/RefundMachine.ts"
import { table as manifest } from "../../core/registry/ManifestMachine.ts"
import { machine as revocation } from "../../core/revocations/Revocation.ts"
import { edges } from "../../core/shared/Machine.ts"
import { table as invoice } from "../../core/invoices/Invoice.ts"
import { machine as subscription } from "../../core/invoices/Subscription.ts"
import { machine as delivery } from "../../core/webhooks/deliveries/Delivery.ts"
import { machine as endpoint } from "../../core/webhooks/endpoints/Endpoint.ts"

/** A table of `core/shared/Machine.ts` as data. */
type Rows = Readonly<Record<string, Readonly<Record<string, { readonly emit?: string }>>>>

/** A lifecycle of the core, and its introduction for readers. */
export interface Lifecycle {
  readonly title: string
  /** The file that calls `Machine.make`. */
  readonly file: string
  readonly about: string
  /** The first stored state of a record. */
  readonly first: string
  readonly table: Rows
}

const lifecycle = (
  title: string,
  file: string,
  about: string,
  first: string,
  table: object,
): Lifecycle => ({ title, file: `core/${file}`, about, first, table: table as Rows })

/** All lifecycles of the core. */
export const lifecycles: ReadonlyArray<Lifecycle> = [
  lifecycle(
    "Request Payment",
    "payments/RequestPayment.ts",
    "A payment that a person makes by scanning a QR code, and that the payee captures.",
    "pending",
    requestPayment.table,
  ),
  lifecycle(
    "One-Time Pay",
    "payments/OneTimePay.ts",
    "A payment that a person makes by a link, or that an agent's mandate makes by a debit.",
    "pending",
    oneTimePay.table,
  ),
  lifecycle(
    "Refund",
    "refunds/RefundMachine.ts",
    "Money that goes back to the payer.",
    "pending",
    refund.table,
  ),
  lifecycle(
    "Refund request",
    "refundRequests/RefundRequest.ts",
    "What a buyer asks back, and the payee decides.",
    "open",
    refundRequest.table,
  ),
  lifecycle(
    "Revocation",
    "revocations/Revocation.ts",
    "Access that a refund takes away, one target at a time.",
    "pending",
    revocation.table,
  ),
  lifecycle(
    "Mandate",
    "installs/Mandate.ts",
    "What a person allows an agent to have debited without asking again.",
    "pending",
    mandate.table,
  ),
  lifecycle(
    "Channel request",
    "gateway/ChannelRequest.ts",
    "A call to a channel, stored before it is made.",
    "outstanding",
    channelRequest.table,
  ),
  lifecycle(
    "Subscription",
    "invoices/Subscription.ts",
    "A plan that is paid every period.",
    "active",
    subscription.table,
  ),
  lifecycle(
    "Invoice",
    "invoices/Invoice.ts",
    "What is owed for one period of a subscription or a tab.",
    "open",
    invoice,
  ),
  lifecycle(
    "Service manifest",
    "registry/ManifestMachine.ts",
    "A service that its seller publishes.",
    "draft",
    manifest,
  ),
  lifecycle(
    "Verification",
    "kyc/verifications/VerificationMachine.ts",
    "The check of who an agent acts for.",
    "unverified",
    verification.table,
  ),
  lifecycle(
    "Appeal",
    "kyc/reviews/Appeal.ts",
    "An account's objection to a rejected verification.",
    "under_review",
    appealMachine.table,
  ),
  lifecycle(
    "Webhook endpoint",
    "webhooks/endpoints/Endpoint.ts",
    "An address that an account has registered for its events.",
    "enabled",
    endpoint.table,
  ),
  lifecycle(
    "Webhook delivery",
    "webhooks/deliveries/Delivery.ts",
    "One event on its way to one receiver.",
    "pending",
    delivery.table,
  ),
]

/** Returns the transitions of a lifecycle, with the webhook event that each emits. */
export const movesOf = ({ table }: Lifecycle) =>
  edges(table as Parameters<typeof edges>[0]).map((move) => ({
    ...move,
    emit: table[move.from]?.[move.event]?.emit,
  }))

/** Returns a lifecycle as Mermaid text. */
export const diagramOf = (shown: Lifecycle): ReadonlyArray<string> => [
  "```mermaid",
  "stateDiagram-v2",
  `  [*] --> ${shown.first}`,
  ...movesOf(shown).map(({ emit, event, from, to }) =>
    [`  ${from} --> ${to}: ${event}`, ...(emit === undefined ? [] : [emit])].join(" / "),
  ),
  ...Object.entries(shown.table)
    .filter(([, moves]) => Object.keys(moves).length === 0)
    .map(([state]) => `  ${state} --> [*]`),
  "```",
]

/** The file of the diagrams. */
export const DIAGRAMS = "core/MACHINES.md"

const INTRODUCTION = `# Lifecycles

A lifecycle is a table of \`shared/Machine.ts\`: state, event, next state. A move without a row in
the table is refused. An arrow names the event, and after a slash the webhook event that the move
emits. \`npm run diagrams\` draws this page from the tables, and a test fails when it is out of
date.`

/** Returns the page of all diagrams. */
export const diagrams = (): string =>
  [
    INTRODUCTION,
    ...lifecycles.map((shown) => {
      const source = shown.file.replace("core/", "")
      return [
        `## ${shown.title}`,
        "",
        `${shown.about} \`${source}\``,
        "",
        ...diagramOf(shown),
      ].join("\n")
    }),
  ].join("\n\n") + "\n"

const root = resolve(import.meta.dirname, "../..")

if (import.meta.main) await writeFile(join(root, DIAGRAMS), diagrams())
