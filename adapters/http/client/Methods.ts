// Written by npm run generate from the contract: change that, and write it anew.

import type { Listing } from "./Listing.ts"
import type { RequestOptions } from "./RequestOptions.ts"
import type {
  AccessItem,
  AccessState,
  Account,
  AccountInput,
  AccountLogListQuery,
  AccountsListKeysQuery,
  AccountsListQuery,
  AdvanceInput,
  Advanced,
  Allowance,
  ApiKey,
  ApproveRefundRequestInput,
  AttemptPaymentInput,
  AuditChain,
  AuditEntry,
  AuditHead,
  AuditListHeadsQuery,
  AuditListQuery,
  Authorization,
  AuthorizeInput,
  Authorized,
  Balance,
  BatchInput,
  BillingListStatementsQuery,
  BillingUsageQuery,
  CaptureInput,
  Channel,
  ChannelFaultsInput,
  CloseInput,
  ClosedSession,
  CountedPage,
  CreateIntentInput,
  CreateOneTimeInput,
  CreateQuoteInput,
  CreateRefundInput,
  CreateRefundRequestInput,
  DeclineRefundRequestInput,
  Deleted,
  DrawInput,
  Event,
  EventsListQuery,
  FacilitatorDiscoverQuery,
  Install,
  InstallInput,
  InstallsListOfServiceQuery,
  InstallsListQuery,
  InstallsUninstallQuery,
  IntentsListQuery,
  IntentsQrPngQuery,
  IntentsQrQuery,
  IntentsQrSvgQuery,
  IntrospectAccessInput,
  Invoice,
  InvoicesListQuery,
  IssuedKey,
  KeyInput,
  KeysListQuery,
  KeysRevokeQuery,
  KycAgent,
  KycAppeal,
  KycAppealInput,
  KycAppealReviewInput,
  KycOpenedAppeal,
  KycOpenedVerification,
  KycReviewInput,
  KycReviewedAppeal,
  KycReviewedVerification,
  KycVerification,
  KycVerifyInput,
  LedgerEntriesQuery,
  LedgerEntry,
  ListResourceInput,
  ListedResource,
  ListingsListQuery,
  LogEntry,
  ManifestInput,
  MonthlyUsage,
  NewAccount,
  NewWebhookEndpoint,
  OauthShowQuery,
  OpenChallengeInput,
  Page,
  PayForResourceInput,
  PayQuoteInput,
  PaymentChallenge,
  PaymentDraw,
  PaymentIntent,
  PaymentIntentQr,
  PaymentRedemption,
  PaymentTimeline,
  PlanInput,
  ProveSubscriptionInput,
  QueryInput,
  Quote,
  ReconciliationReport,
  ReconciliationRuns,
  RedeemInput,
  RedeemSubscriptionInput,
  Refund,
  RefundIntentInput,
  RefundRequest,
  RefundRequestsListQuery,
  RefundsListQuery,
  RegisterAccessItemInput,
  ReportsListRunsQuery,
  ReportsReconciliationCsvQuery,
  ReportsReconciliationQuery,
  ReviewsListAppealsQuery,
  ReviewsListQuery,
  RollInput,
  RolledKey,
  RotatedSecret,
  RotationInput,
  SandboxChannel,
  SandboxListMessagesQuery,
  SandboxMessage,
  ScanInput,
  ScanResult,
  ServiceManifest,
  ServiceQr,
  ServiceSummary,
  ServicesQrPngQuery,
  ServicesQrQuery,
  ServicesQrSvgQuery,
  ServicesSearchQuery,
  SimulateInput,
  StartUsageInput,
  Statement,
  SubscribeInput,
  Subscribed,
  Subscription,
  SubscriptionProof,
  SubscriptionRedemption,
  SubscriptionsCancelQuery,
  SubscriptionsListQuery,
  SuspendKeyInput,
  Tab,
  Understood,
  UnderstoodBatch,
  UsageGetQuery,
  UsageInput,
  UsageRecord,
  UsageStopQuery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointInput,
  WebhookKey,
  WebhookKeyInput,
  WebhookSecret,
  WebhooksListDeliveriesQuery,
  WebhooksListEndpointsQuery,
  WebhooksListKeysQuery,
  X402DiscoveryResponse,
  X402FacilitatorRequest,
  X402SettleResponse,
  X402SupportedResponse,
  X402VerifyResponse,
} from "./Resources.ts"

/** A method for each route of the service, by what it is about. */
export interface Methods {
  readonly accounts: {
    /** Open an account. */
    readonly create: (input: AccountInput, options?: RequestOptions) => Promise<NewAccount>
    /** List accounts. */
    readonly list: (query?: AccountsListQuery, options?: RequestOptions) => Listing<Page<Account>>
    /** Show an account. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Account>
    /** Suspend an account. */
    readonly suspend: (id: string, options?: RequestOptions) => Promise<Account>
    /** Lift the suspension of an account. */
    readonly resume: (id: string, options?: RequestOptions) => Promise<Account>
    /** Change the plan of an account. */
    readonly changePlan: (
      id: string,
      input: PlanInput,
      options?: RequestOptions,
    ) => Promise<Account>
    /** List the keys of an account. */
    readonly listKeys: (
      id: string,
      query?: AccountsListKeysQuery,
      options?: RequestOptions,
    ) => Listing<Page<ApiKey>>
    /** Issue a key of an account. */
    readonly issueKey: (id: string, options?: RequestOptions) => Promise<IssuedKey>
    /** Suspend a key of an account. */
    readonly suspendKey: (
      id: string,
      keyId: string,
      input?: SuspendKeyInput,
      options?: RequestOptions,
    ) => Promise<ApiKey>
    /** Lift the suspension of a key. */
    readonly resumeKey: (
      id: string,
      keyId: string,
      input?: SuspendKeyInput,
      options?: RequestOptions,
    ) => Promise<ApiKey>
  }
  readonly keys: {
    /** Issue a key. */
    readonly create: (input?: KeyInput, options?: RequestOptions) => Promise<IssuedKey>
    /** List the account's keys. */
    readonly list: (query?: KeysListQuery, options?: RequestOptions) => Listing<Page<ApiKey>>
    /** Replace a key. */
    readonly roll: (id: string, input?: RollInput, options?: RequestOptions) => Promise<RolledKey>
    /** Revoke a key. */
    readonly revoke: (
      id: string,
      query?: KeysRevokeQuery,
      options?: RequestOptions,
    ) => Promise<ApiKey>
  }
  readonly oauth: {
    /** Show the access that a program requests. */
    readonly show: (query: OauthShowQuery, options?: RequestOptions) => Promise<Authorization>
    /** Give a program a key, within limits. */
    readonly authorize: (input: AuthorizeInput, options?: RequestOptions) => Promise<Authorized>
  }
  readonly accountLog: {
    /** List what changed for the account. */
    readonly list: (
      query?: AccountLogListQuery,
      options?: RequestOptions,
    ) => Listing<Page<LogEntry>>
  }
  readonly services: {
    /** Register a service, or update it. */
    readonly create: (input: ManifestInput, options?: RequestOptions) => Promise<ServiceManifest>
    /** Search services. */
    readonly search: (
      query?: ServicesSearchQuery,
      options?: RequestOptions,
    ) => Listing<CountedPage<ServiceSummary>>
    /** Get a service. */
    readonly get: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
    /** Get the static QR code of a service. */
    readonly qr: (
      id: string,
      query?: ServicesQrQuery,
      options?: RequestOptions,
    ) => Promise<ServiceQr>
    /** Get the static QR code of a service. */
    readonly qrPng: (
      id: string,
      query?: ServicesQrPngQuery,
      options?: RequestOptions,
    ) => Promise<Uint8Array>
    /** Get the static QR code of a service. */
    readonly qrSvg: (
      id: string,
      query?: ServicesQrSvgQuery,
      options?: RequestOptions,
    ) => Promise<string>
    /** Activate a draft. */
    readonly activate: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
    /** Pause an active service. */
    readonly pause: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
    /** Resume a paused service. */
    readonly resume: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
    /** Deprecate a service: it takes no new payments. */
    readonly deprecate: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
    /** Delete a service that was deprecated long enough ago. */
    readonly delete: (id: string, options?: RequestOptions) => Promise<ServiceManifest>
  }
  readonly channels: {
    /** List the payment channels with their health. */
    readonly list: (options?: RequestOptions) => Promise<{
      /** Every channel of this installation. */
      readonly data: ReadonlyArray<Channel>
    }>
  }
  readonly intents: {
    /** Request a payment by QR code. */
    readonly create: (input: CreateIntentInput, options?: RequestOptions) => Promise<PaymentIntent>
    /** List payments, newest first. */
    readonly list: (
      query?: IntentsListQuery,
      options?: RequestOptions,
    ) => Listing<Page<PaymentIntent>>
    /** Get a payment. */
    readonly get: (id: string, options?: RequestOptions) => Promise<PaymentIntent>
    /** Show what happened to a payment. */
    readonly timeline: (id: string, options?: RequestOptions) => Promise<PaymentTimeline>
    /** Get the QR code of a payment. */
    readonly qr: (
      id: string,
      query?: IntentsQrQuery,
      options?: RequestOptions,
    ) => Promise<PaymentIntentQr>
    /** Get the QR code of a payment. */
    readonly qrPng: (
      id: string,
      query?: IntentsQrPngQuery,
      options?: RequestOptions,
    ) => Promise<Uint8Array>
    /** Get the QR code of a payment. */
    readonly qrSvg: (
      id: string,
      query?: IntentsQrSvgQuery,
      options?: RequestOptions,
    ) => Promise<string>
    /** Capture the authorized money (payee). */
    readonly capture: (
      id: string,
      input?: CaptureInput,
      options?: RequestOptions,
    ) => Promise<PaymentIntent>
    /** Give up an unpaid payment (payee, payer, creator). */
    readonly void: (id: string, options?: RequestOptions) => Promise<PaymentIntent>
    /** Cancel an unpaid payment (payee). */
    readonly cancel: (id: string, options?: RequestOptions) => Promise<PaymentIntent>
    /** Follow a payment. */
    readonly watch: (id: string, options?: RequestOptions) => AsyncIterable<PaymentIntent>
  }
  readonly payments: {
    /** Pay by deep link, or at once if the install allows it. */
    readonly create: (input: CreateOneTimeInput, options?: RequestOptions) => Promise<PaymentIntent>
    /** Pay within the limits, or ask whether a payment is allowed. */
    readonly attempt: (
      input: AttemptPaymentInput,
      options?: RequestOptions,
    ) => Promise<PaymentIntent | Allowance>
  }
  readonly challenges: {
    /** Request the payment of a resource (seller). */
    readonly create: (
      input: OpenChallengeInput,
      options?: RequestOptions,
    ) => Promise<PaymentChallenge>
    /** Accept a proof of payment (seller). */
    readonly redeem: (
      id: string,
      input: RedeemInput,
      options?: RequestOptions,
    ) => Promise<PaymentRedemption>
    /** Draw the price of a request from a deposit (seller). */
    readonly draw: (id: string, input: DrawInput, options?: RequestOptions) => Promise<PaymentDraw>
    /** Close a session and return the rest of its deposit (seller). */
    readonly close: (
      id: string,
      input: CloseInput,
      options?: RequestOptions,
    ) => Promise<ClosedSession>
  }
  readonly facilitator: {
    /** List the schemes that the x402 facilitator settles. */
    readonly supported: (options?: RequestOptions) => Promise<X402SupportedResponse>
    /** Discover resources that are sold by x402. */
    readonly discover: (
      query?: FacilitatorDiscoverQuery,
      options?: RequestOptions,
    ) => Promise<X402DiscoveryResponse>
    /** Start the payment of a resource that is sold by x402 (buyer). */
    readonly pay: (
      input: PayForResourceInput,
      options?: RequestOptions,
    ) => Promise<PaymentChallenge>
    /** Check whether an x402 payload would be settled (seller). */
    readonly verify: (
      input: X402FacilitatorRequest,
      options?: RequestOptions,
    ) => Promise<X402VerifyResponse>
    /** Settle an x402 payload (seller). */
    readonly settle: (
      input: X402FacilitatorRequest,
      options?: RequestOptions,
    ) => Promise<X402SettleResponse>
  }
  readonly listings: {
    /** List a resource that is sold by x402 (seller). */
    readonly create: (input: ListResourceInput, options?: RequestOptions) => Promise<ListedResource>
    /** List your listed resources, newest first. */
    readonly list: (
      query?: ListingsListQuery,
      options?: RequestOptions,
    ) => Listing<Page<ListedResource>>
    /** Get a listed resource. */
    readonly get: (id: string, options?: RequestOptions) => Promise<ListedResource>
    /** Remove a listed resource. */
    readonly delete: (id: string, options?: RequestOptions) => Promise<Deleted>
  }
  readonly quotes: {
    /** Quote the ways to make a payment, best first. */
    readonly create: (input: CreateQuoteInput, options?: RequestOptions) => Promise<Quote>
    /** Request a payment at the prices of a quote. */
    readonly pay: (input: PayQuoteInput, options?: RequestOptions) => Promise<PaymentIntent>
  }
  readonly refunds: {
    /** Refund a payment in part or in full (payee). */
    readonly create: (input: CreateRefundInput, options?: RequestOptions) => Promise<Refund>
    /** Refund this payment (payee). */
    readonly createOfIntent: (
      id: string,
      input?: RefundIntentInput,
      options?: RequestOptions,
    ) => Promise<Refund>
    /** List a payment's refunds, or all of your own, newest first. */
    readonly list: (query?: RefundsListQuery, options?: RequestOptions) => Listing<Page<Refund>>
    /** Get a refund. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Refund>
  }
  readonly refundRequests: {
    /** Ask the payee to refund a payment (buyer). */
    readonly create: (
      input: CreateRefundRequestInput,
      options?: RequestOptions,
    ) => Promise<RefundRequest>
    /** List the refund requests that you made or received, newest first. */
    readonly list: (
      query?: RefundRequestsListQuery,
      options?: RequestOptions,
    ) => Listing<Page<RefundRequest>>
    /** Get a refund request. */
    readonly get: (id: string, options?: RequestOptions) => Promise<RefundRequest>
    /** Approve a refund request and make the refund (payee). */
    readonly approve: (
      id: string,
      input?: ApproveRefundRequestInput,
      options?: RequestOptions,
    ) => Promise<Refund>
    /** Decline a refund request (payee). */
    readonly decline: (
      id: string,
      input: DeclineRefundRequestInput,
      options?: RequestOptions,
    ) => Promise<RefundRequest>
    /** Withdraw a refund request (buyer). */
    readonly withdraw: (id: string, options?: RequestOptions) => Promise<RefundRequest>
  }
  readonly access: {
    /** Register the access that a payment bought (payee). */
    readonly register: (
      input: RegisterAccessItemInput,
      options?: RequestOptions,
    ) => Promise<AccessItem>
    /** Check whether access is still active. */
    readonly introspect: (
      input: IntrospectAccessInput,
      options?: RequestOptions,
    ) => Promise<AccessState>
  }
  readonly installs: {
    /** Install a service for an agent, or change its install (buyer). */
    readonly put: (id: string, input?: InstallInput, options?: RequestOptions) => Promise<Install>
    /** List the installs of your agents. */
    readonly list: (query?: InstallsListQuery, options?: RequestOptions) => Listing<Page<Install>>
    /** List the installs of a service by your agents. */
    readonly listOfService: (
      id: string,
      query?: InstallsListOfServiceQuery,
      options?: RequestOptions,
    ) => Listing<Page<Install>>
    /** Get an install. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Install>
    /** Remove an install, and end its mandate. */
    readonly delete: (id: string, options?: RequestOptions) => Promise<Deleted>
    /** Remove the install of a service by one of your agents. */
    readonly uninstall: (
      id: string,
      query?: InstallsUninstallQuery,
      options?: RequestOptions,
    ) => Promise<Deleted>
  }
  readonly subscriptions: {
    /** Subscribe an agent to a plan. */
    readonly create: (
      id: string,
      input: SubscribeInput,
      options?: RequestOptions,
    ) => Promise<Subscribed>
    /** List the subscriptions that you pay or sell, newest first. */
    readonly list: (
      query?: SubscriptionsListQuery,
      options?: RequestOptions,
    ) => Listing<CountedPage<Subscription>>
    /** Get a subscription. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Subscription>
    /** Prove a subscription to its seller (buyer). */
    readonly prove: (
      id: string,
      input: ProveSubscriptionInput,
      options?: RequestOptions,
    ) => Promise<SubscriptionProof>
    /** Accept the proof of a subscription (seller). */
    readonly redeem: (
      id: string,
      input: RedeemSubscriptionInput,
      options?: RequestOptions,
    ) => Promise<SubscriptionRedemption>
    /** Cancel a subscription at the end of its period, or with `now=true` at once. */
    readonly cancel: (
      id: string,
      query?: SubscriptionsCancelQuery,
      options?: RequestOptions,
    ) => Promise<Subscription>
  }
  readonly invoices: {
    /** List the invoices that you pay or receive money for, newest first. */
    readonly list: (
      query?: InvoicesListQuery,
      options?: RequestOptions,
    ) => Listing<CountedPage<Invoice>>
    /** Get an invoice. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Invoice>
    /** Get or create the payment of an unpaid invoice. */
    readonly pay: (id: string, options?: RequestOptions) => Promise<PaymentIntent>
    /** Forgive an invoice that is open or uncollectible (seller). */
    readonly void: (id: string, options?: RequestOptions) => Promise<Invoice>
  }
  readonly usage: {
    /** Report an agent's use of your service (seller). */
    readonly report: (
      id: string,
      input: UsageInput,
      options?: RequestOptions,
    ) => Promise<UsageRecord>
    /** Start or resume cumulative billing of an agent (buyer). */
    readonly start: (id: string, input?: StartUsageInput, options?: RequestOptions) => Promise<Tab>
    /** Get an agent's use since its last invoice. */
    readonly get: (id: string, query?: UsageGetQuery, options?: RequestOptions) => Promise<Tab>
    /** End cumulative billing of an agent, and bill its use. */
    readonly stop: (id: string, query?: UsageStopQuery, options?: RequestOptions) => Promise<Tab>
  }
  readonly ledger: {
    /** Get the balance. */
    readonly balance: (options?: RequestOptions) => Promise<Balance>
    /** List the rows of the ledger, newest first. */
    readonly entries: (
      query?: LedgerEntriesQuery,
      options?: RequestOptions,
    ) => Listing<Page<LedgerEntry>>
  }
  readonly reports: {
    /** Get the reconciliation report. */
    readonly reconciliation: (
      query: ReportsReconciliationQuery,
      options?: RequestOptions,
    ) => Promise<ReconciliationReport>
    /** Get the reconciliation report. */
    readonly reconciliationCsv: (
      query: ReportsReconciliationCsvQuery,
      options?: RequestOptions,
    ) => Promise<string>
    /** List the comparisons of statements with the ledger. */
    readonly listRuns: (
      query: ReportsListRunsQuery,
      options?: RequestOptions,
    ) => Promise<ReconciliationRuns>
  }
  readonly billing: {
    /** Get the use and charges of a month. */
    readonly usage: (query?: BillingUsageQuery, options?: RequestOptions) => Promise<MonthlyUsage>
    /** List the statements, newest first. */
    readonly listStatements: (
      query?: BillingListStatementsQuery,
      options?: RequestOptions,
    ) => Listing<Page<Statement>>
    /** Get a statement. */
    readonly getStatement: (id: string, options?: RequestOptions) => Promise<Statement>
  }
  readonly kyc: {
    /** Submit identity data, or the code that was sent. */
    readonly verify: (input?: KycVerifyInput, options?: RequestOptions) => Promise<KycVerification>
    /** Show a verification. */
    readonly get: (id: string, options?: RequestOptions) => Promise<KycVerification>
    /** Show an agent's level and limits. */
    readonly getAgent: (agentId: string, options?: RequestOptions) => Promise<KycAgent>
    /** Appeal against a rejection. */
    readonly appeal: (input: KycAppealInput, options?: RequestOptions) => Promise<KycAppeal>
    /** Show an appeal. */
    readonly getAppeal: (id: string, options?: RequestOptions) => Promise<KycAppeal>
  }
  readonly reviews: {
    /** List verifications. */
    readonly list: (
      query?: ReviewsListQuery,
      options?: RequestOptions,
    ) => Listing<Page<KycReviewedVerification>>
    /** Open a verification with its submitted data. */
    readonly open: (id: string, options?: RequestOptions) => Promise<KycOpenedVerification>
    /** Approve or reject a verification. */
    readonly decide: (
      id: string,
      input: KycReviewInput,
      options?: RequestOptions,
    ) => Promise<KycVerification>
    /** List appeals. */
    readonly listAppeals: (
      query?: ReviewsListAppealsQuery,
      options?: RequestOptions,
    ) => Listing<Page<KycReviewedAppeal>>
    /** Open an appeal with its reason and verification. */
    readonly openAppeal: (id: string, options?: RequestOptions) => Promise<KycOpenedAppeal>
    /** Decide about an appeal. */
    readonly decideAppeal: (
      id: string,
      input: KycAppealReviewInput,
      options?: RequestOptions,
    ) => Promise<KycAppeal>
  }
  readonly audit: {
    /** List the audit log. */
    readonly list: (
      query?: AuditListQuery,
      options?: RequestOptions,
    ) => Listing<{
      /** The entries, newest first. */
      readonly data: ReadonlyArray<AuditEntry>
      /** Whether there is a next page. Request it with `starting_after`. */
      readonly has_more: boolean
      /** Whether the chain is intact. Only with `verify`. */
      readonly chain?: AuditChain
    }>
    /** List the signed heads of the audit log. */
    readonly listHeads: (
      query?: AuditListHeadsQuery,
      options?: RequestOptions,
    ) => Promise<Page<AuditHead>>
  }
  readonly events: {
    /** List the account's events. */
    readonly list: (query?: EventsListQuery, options?: RequestOptions) => Listing<Page<Event>>
    /** Show an event. */
    readonly get: (id: string, options?: RequestOptions) => Promise<Event>
  }
  readonly webhooks: {
    /** Register a webhook endpoint. */
    readonly createEndpoint: (
      input: WebhookEndpointInput,
      options?: RequestOptions,
    ) => Promise<NewWebhookEndpoint>
    /** List the account's webhook endpoints. */
    readonly listEndpoints: (
      query?: WebhooksListEndpointsQuery,
      options?: RequestOptions,
    ) => Listing<Page<WebhookEndpoint>>
    /** Show a webhook endpoint. */
    readonly getEndpoint: (id: string, options?: RequestOptions) => Promise<WebhookEndpoint>
    /** Change, disable or enable a webhook endpoint. */
    readonly changeEndpoint: (
      id: string,
      input?: WebhookEndpointChange,
      options?: RequestOptions,
    ) => Promise<WebhookEndpoint>
    /** Delete a webhook endpoint. */
    readonly deleteEndpoint: (id: string, options?: RequestOptions) => Promise<Deleted>
    /** Send a ping to an endpoint. */
    readonly testEndpoint: (id: string, options?: RequestOptions) => Promise<WebhookDelivery>
    /** List deliveries. */
    readonly listDeliveries: (
      query?: WebhooksListDeliveriesQuery,
      options?: RequestOptions,
    ) => Listing<Page<WebhookDelivery>>
    /** Show a delivery. */
    readonly getDelivery: (id: string, options?: RequestOptions) => Promise<WebhookDelivery>
    /** Deliver an event again. */
    readonly replayDelivery: (id: string, options?: RequestOptions) => Promise<WebhookDelivery>
    /** Show the webhook secret. */
    readonly getSecret: (options?: RequestOptions) => Promise<WebhookSecret>
    /** Replace a webhook secret. */
    readonly rotateSecret: (
      input: RotationInput,
      options?: RequestOptions,
    ) => Promise<RotatedSecret>
    /** Register a key for webhook encryption. */
    readonly addKey: (input: WebhookKeyInput, options?: RequestOptions) => Promise<WebhookKey>
    /** List the keys for webhook encryption. */
    readonly listKeys: (
      query?: WebhooksListKeysQuery,
      options?: RequestOptions,
    ) => Listing<Page<WebhookKey>>
    /** Delete a key for webhook encryption. */
    readonly deleteKey: (id: string, options?: RequestOptions) => Promise<Deleted>
  }
  readonly language: {
    /** Read the QR codes of an image. */
    readonly readQr: (input: ScanInput, options?: RequestOptions) => Promise<ScanResult>
    /** Understand a request in words, and carry it out on demand. */
    readonly answer: (input: QueryInput, options?: RequestOptions) => Promise<Understood>
    /** Understand up to 100 texts. */
    readonly answerAll: (input: BatchInput, options?: RequestOptions) => Promise<UnderstoodBatch>
  }
  readonly sandbox: {
    /** Simulate an action of the payer's wallet. */
    readonly simulate: (
      id: string,
      input: SimulateInput,
      options?: RequestOptions,
    ) => Promise<PaymentIntent>
    /** List the channels with their secrets and faults. */
    readonly listChannels: (options?: RequestOptions) => Promise<{
      /** The channels. */
      readonly data: ReadonlyArray<SandboxChannel>
    }>
    /** Set the faults of a channel. */
    readonly setFaults: (
      channel: string,
      input?: ChannelFaultsInput,
      options?: RequestOptions,
    ) => Promise<SandboxChannel>
    /** Move the clock forward and run the tasks that fall due. */
    readonly advanceClock: (input: AdvanceInput, options?: RequestOptions) => Promise<Advanced>
    /** Read the messages to the account's people. */
    readonly listMessages: (
      query?: SandboxListMessagesQuery,
      options?: RequestOptions,
    ) => Promise<{
      /** The messages. */
      readonly data: ReadonlyArray<SandboxMessage>
    }>
    /** Erase the account's data. */
    readonly reset: (options?: RequestOptions) => Promise<{
      /** Always `true`. */
      readonly reset: true
    }>
  }
}
