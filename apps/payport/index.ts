/** The entry of `payport`: a payment service as a plain object. */
export type { BeforeCommit, Changed, CommitChange } from "../../adapters/shared/BeforeCommit.ts"
export { isFailure, Failure } from "../../core/shared/Failure.ts"
export type { FailureCode } from "../../core/shared/Failure.ts"
export type { Caller } from "./Caller.ts"
export type { EventHook, PayportEvent } from "./EventHook.ts"
export { layer, makePayport, PayportService } from "./makePayport.ts"
export type { OptionsWith, Payport, Ports, SandboxPorts } from "./makePayport.ts"
export type { CallOptions } from "./Method.ts"
export { PayportOptionsError } from "./PayportOptions.ts"
export type {
  ChannelsOption,
  HeldReturns,
  LogEntry,
  PayportOptions,
  RetentionDays,
  SandboxOption,
  StoreOption,
  TransactionOf,
} from "./PayportOptions.ts"
export type { CarriersOption } from "./CarriersOption.ts"
export type { TermsOption } from "./TermsOption.ts"
export type { Terms } from "../../core/terms/Terms.ts"
export { usualTerms } from "../../core/terms/Terms.ts"
export type { Worker } from "./Workers.ts"
export type {
  Account,
  ApiKey,
  Install,
  Invoice,
  NewAccount,
  PaymentIntent,
  Quote,
  Refund,
  Service,
  Subscription,
  WebhookEndpoint,
} from "./nouns.ts"
